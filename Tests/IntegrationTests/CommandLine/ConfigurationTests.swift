import CoordinatorClient
import DBus
import Foundation
import TestBus
import Testing

@Suite("The configuration of coordinatord", .timeLimit(.minutes(5)))
struct ConfigurationTests {
  /// The bus whose directory contains the configuration files that `RunningDaemon` uses.
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func write(_ text: String, to path: String = "coordinatord/coordinatord.conf") throws {
    let url = URL(filePath: "\(bus.directory)/\(path)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func coordinatord(_ options: String..., environment: [String: String] = [:]) async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinatord")] + options,
      environment: RunningDaemon.environment(of: bus).merging(environment) { $1 })
  }

  @Test("Options override environment variables, which override configuration files, and all of them take effect")
  func settingsOfEverySourceTakeEffect() async throws {
    try write("[Limits]\nMaxFlows=11\nMaxDepth=12\nMaxItems=13\n")
    try write("[Limits]\nMaxDepth=22\n", to: "coordinatord/coordinatord.conf.d/10-more.conf")
    let daemon = try await RunningDaemon.start(
      on: bus, through: ["env", "COORDINATORD_MAX_ITEMS=33", "COORDINATORD_MAX_PAYLOAD=1K"], ["--max-payload=44"])
    let client = try await daemon.client()
    for (name, value) in ["MaxFlows": 11, "MaxDepth": 22, "MaxItems": 33, "MaxPayload": 44] as [String: UInt32] {
      #expect(try await client.managerProperty(name) == .uint32(value))
    }
  }

  @Test("--check-config prints the effective settings and their sources without a bus")
  func checkConfigPrintsSettingsAndSources() async throws {
    try write("[Daemon]\nIdleExit=10min\n")
    let report = try await coordinatord(
      "--check-config", "--max-flows=5", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(report.status == .exited(0) && report.errors.isEmpty, "\(report)")
    let file = "\(bus.directory)/coordinatord/coordinatord.conf"
    for part in ["# Read: \(file)\n", "# \(file):2\nIdleExit=10min\n", "# --max-flows\nMaxFlows=5\n", "\n#MaxDepth=64\n"] {
      #expect(report.output.contains(part), "\(part)")
    }
  }

  @Test("A missing account file is a configuration error, which --check-config also reports", arguments: [true, false])
  func missingAccountFileIsAConfigurationError(isCheck: Bool) async throws {
    try write("[Flows]\nAccounts=/nowhere\n")
    let report = try await coordinatord(isCheck ? "--check-config" : "--ephemeral")
    #expect(report.status == .exited(78) && report.output.isEmpty, "\(report)")
    #expect(report.errors.contains("coordinatord.conf:2: Accounts=/nowhere: there is no account file /nowhere"), "\(report)")
  }

  @Test("An invalid configuration exits with status 78, serves nothing, and reports every mistake", arguments: [true, false])
  func invalidConfigurationExitsWith78(isCheck: Bool) async throws {
    try write("[Limits]\nMaxFlow=11\nMaxDepth=0\n[Daemon]\nIdleExit=soon\n")
    try write("Nonsense", to: "coordinatord/coordinatord.conf.d/a.conf")
    let report = try await coordinatord(isCheck ? "--check-config" : "--replace", environment: ["COORDINATORD_SYNC": "twice"])
    #expect(report.status == .exited(78) && report.output.isEmpty, "\(report)")
    let file = "coordinatord: \(bus.directory)/coordinatord/coordinatord.conf"
    #expect(
      report.errors == """
        \(file):2: unknown key MaxFlow in [Limits]; did you mean MaxFlows?
        \(file):3: MaxDepth=0: expected a whole number from 1 to 4294967295
        \(file):5: IdleExit=soon: expected a time of at least 1s, such as 30, 30s or 5min, or off
        \(file).d/a.conf:1: expected [Section] or Key=Value
        coordinatord: $COORDINATORD_SYNC: Sync=twice: expected one of full, normal, off

        """)
  }

  @Test("--config names the only file to read, which must exist")
  func configOptionNamesTheOnlyFile() async throws {
    try write("[Limits]\nMaxFlows=1\n")
    try write("[Limits]\nMaxDepth=2\n", to: "other.conf")
    let report = try await coordinatord("--check-config", "--config", "\(bus.directory)/other.conf")
    #expect(report.output.contains("\nMaxDepth=2\n") && report.output.contains("\n#MaxFlows=20000\n"), "\(report)")
    #expect(try await coordinatord("--config", "/nonexistent.conf").status == .exited(78))
  }

  /// A row of the documented keys: `Key=`, its default, and whether it can be reloaded.
  private struct Row: Hashable {
    let section: String
    let key: String
    let defaultText: String
    let change: String
  }

  @Test("Docs/configuration.md lists every key once, with its section, its default, and whether it can be reloaded")
  func documentListsEveryKeyOnce() async throws {
    let dump = try await coordinatord("--dump-config-keys")
    let keys = dump.lines.dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    #expect(keys.allSatisfy { $0.count == 8 } && keys.count > 20)
    var documented: [Row] = []
    var section = ""
    let text = try String(contentsOfFile: Built.checkedOut("Docs/configuration.md"), encoding: .utf8)
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: /### \[(.*)\]/) { section = String(match.output.1) }
      guard let match = line.wholeMatch(of: /\| `(\w+)=` \| (.*?) \| (reload|restart) \| .+ \|/) else { continue }
      documented.append(
        Row(
          section: section, key: String(match.output.1), defaultText: String(match.output.2).replacing("`", with: ""),
          change: String(match.output.3)))
    }
    let expected = keys.map {
      Row(
        section: $0.first ?? "", key: $0.dropFirst().first ?? "", defaultText: $0.dropFirst(4).first ?? "",
        change: $0.dropFirst(6).first ?? "")
    }
    #expect(documented == expected)
    let help = try await coordinatord("--help").output
    #expect(keys.allSatisfy { help.contains($0[2] + " ") || help.contains($0[2] + "/") }, "each option is in --help")
  }
}
