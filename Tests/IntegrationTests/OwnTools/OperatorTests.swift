import CoordinatorBus
import CoordinatorKit
import Foundation
import Glibc
import TestBus
import Testing

@Suite("The commands of coordinatorctl for those who operate a machine", .timeLimit(.minutes(5)))
struct OperatorTests {
  private func control(_ daemon: RunningDaemon, _ arguments: String...) async throws -> ProgramReport {
    try await Program.run([Built.executable("coordinatorctl")] + arguments, environment: daemon.environment)
  }

  private func json(_ report: ProgramReport) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(report.output.utf8))
  }

  private static var user: String { String(cString: getpwuid(getuid()).pointee.pw_name) }

  @Test("'coordinatorctl list' says when something happened last and who did it, also after a restart")
  func listNamesTheLastTransition() async throws {
    let bus = try PrivateBus()
    var daemon = try await RunningDaemon.start(on: bus)
    _ = try await control(daemon, "start", "pets")
    _ = try await control(daemon, "send", "schedule-visit")
    for _ in 0..<2 {
      let list = try await control(daemon, "list")
      #expect(list.lines.first == "NAME    FLOW  STATE    SCREEN             AGE  LAST  BY\(Self.gap)  RENDERERS", "\(list)")
      #expect(list.lines.last?.contains("  \(Self.user) coordinatorctl  0") == true, "\(list)")
      let last = try json(try await control(daemon, "list", "--json"))[0]?["last"]
      #expect(last?["event"] == "delegate" && last?["name"] == "schedule-visit" && last?["way"] == "coordinatorctl")
      #expect(last?["userName"] == .string(Self.user))
      #expect(last?["coordinator"]?.string?.hasSuffix("/flows/pets_1") == true)
      let log = try json(try await control(daemon, "log", "--json", "-n", "1"))
      #expect(last?["time"] == log["time"], "the history agrees")
      #expect(await daemon.stop().status == .exited(0))
      daemon = try await RunningDaemon.start(on: bus)
    }
  }

  /// The spaces between the title of the column BY and the next one.
  private static var gap: String { String(repeating: " ", count: "\(user) coordinatorctl".count - 2) }

  @Test("'coordinatorctl wait --all' waits for each tree, and exits with the first code that is not 0")
  func waitForAll() async throws {
    let daemon = try await RunningDaemon.start()
    let nothing = try await control(daemon, "wait", "--all", "--ended")
    #expect(nothing.status == .exited(0) && nothing.output.isEmpty, "\(nothing)")
    for token in ["one", "two"] { _ = try await control(daemon, "start", "pets", "--token", token) }
    let idle = try await control(daemon, "wait", "--all")
    #expect(idle.status == .exited(0), "\(idle)")
    #expect(idle.lines.map { $0.prefix(10) }.sorted() == ["one: home ", "two: home "], "\(idle)")
    let late = try await control(daemon, "wait", "--all", "--ended", "--timeout", "10ms")
    #expect(late.status == .exited(11) && late.errors.contains("'one'") && late.errors.contains("'two'"), "\(late)")
    let waiting = try daemon.launch(Built.executable("coordinatorctl"), "wait", "--all", "--ended", "--json")
    let client = try await daemon.client()
    for token in ["one", "two"] {
      let tree = try await client.manager.listActive().first { $0.token == token }
      let router = client.router(try #require(tree).coordinator.appending("router"))
      try await poll { try await router.attachedClients().count == 1 }
    }
    _ = try await control(daemon, "dismiss", "two")
    try await waiting.prints(#"{"outcome":"cancelled","result":{},"tree":"two"}"#)
    _ = try await control(daemon, "dismiss", "one")
    let report = await waiting.ended()
    #expect(report.status == .exited(3) && report.lines.count == 2, "\(report)")
    let wrong = try await control(daemon, "wait", "--all", "pets_1")
    #expect(wrong.status == .exited(64))
  }

  @Test("'coordinatorctl watch --all' follows every tree, also those that start later, and a daemon that starts again")
  func watchAll() async throws {
    let bus = try PrivateBus()
    let daemon = try await RunningDaemon.start(on: bus)
    _ = try await control(daemon, "start", "pets", "--token", "one")
    let watching = try daemon.launch(Built.executable("coordinatorctl"), "watch", "--all")
    try await watching.prints("one: 1  home – ")
    _ = try await control(daemon, "start", "pets", "--token", "two")
    try await watching.prints("two: 1  home – ")
    _ = try await control(daemon, "send", "one", "schedule-visit")
    try await watching.prints("one: 2  select-visit-type – ")
    #expect(await daemon.stop().status == .exited(0))
    try await watching.prints("coordinatord has left the bus")
    let second = try await RunningDaemon.start(on: bus)
    try await watching.prints("coordinatord is back")
    _ = try await control(second, "dismiss", "two")
    try await watching.prints("two: The flow was cancelled.")
    _ = try await control(second, "start", "pets", "--token", "three")
    try await watching.prints("three: 1  home – ")
    watching.signal(SIGTERM)
    _ = await watching.ended()
  }

  @Test("'coordinatorctl doctor' checks a running daemon, without changing anything, and names what it serves and keeps")
  func doctorOfARunningDaemon() async throws {
    let daemon = try await RunningDaemon.start()
    _ = try await control(daemon, "start", "pets")
    let report = try await control(daemon, "doctor", "--json")
    #expect(report.status == .exited(0), "\(report)")
    let checks = try json(report)["checks"]?.array ?? []
    let names = checks.compactMap { $0["name"]?.string }.filter { $0 != "lingering" }
    #expect(names == ["bus", "daemon", "version", "engine", "units", "state", "limits", "providers", "held"], "\(report)")
    #expect(checks.allSatisfy { $0["state"] == "ok" }, "\(report)")
    let text = try await control(daemon, "doctor").output
    #expect(text.contains("1 of at most 20000 flow trees") && text.contains("nothing is held"), "\(text)")
    #expect(text.contains("\(daemon.bus.directory)/coordinatord, "), "\(text)")
  }

  @Test("'coordinatorctl doctor' warns of scripts that nobody serves, and of what is held")
  func doctorFindsScriptsAndHolds() async throws {
    let world = try ScriptWorld()
    let daemon = try await world.daemon()
    let flows = "\(world.bus.directory)/coordinatord/flows"
    try FileManager.default.createDirectory(atPath: flows, withIntermediateDirectories: true)
    try world.write("coffee", "ask menu size Size? small=Small")
    try FileManager.default.copyItem(atPath: "\(world.scripts)/coffee", toPath: "\(flows)/coffee")
    let report = try await control(daemon, "doctor")
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.output.contains("so scripts are no flows: 1 script in \(flows)\n"), "\(report)")
    #expect(report.output.contains("→ start it: coordinator-scripts &"), "\(report)")
  }

  @Test("'coordinatorctl doctor' needs neither a daemon nor a bus, and starts none")
  func doctorWithoutDaemonOrBus() async throws {
    let bus = try PrivateBus()
    let doctor = [try Built.executable("coordinatorctl"), "doctor"]
    let lonely = try await Program.run(doctor, environment: RunningDaemon.environment(of: bus))
    #expect(lonely.status == .exited(1), "\(lonely)")
    #expect(lonely.output.contains("does not run, and the bus cannot start it"), "\(lonely)")
    #expect(lonely.output.contains("does not exist yet; the daemon creates it"), "\(lonely)")
    #expect(!FileManager.default.fileExists(atPath: "\(bus.directory)/coordinatord"))
    var environment = RunningDaemon.environment(of: bus)
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(bus.directory)/none"
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(bus.directory)/none"
    for system in [[], ["--system"]] {
      let none = try await Program.run(doctor + system, environment: environment)
      #expect(none.status == .exited(1) && none.errors.isEmpty, "\(none)")
      #expect(none.lines.first?.hasPrefix("failed ") == true && none.output.contains("/none"), "\(none)")
    }
    let activating = try ActivatingBus([Contract.busName: "/bin/false"])
    let idle = try await Program.run(doctor, environment: RunningDaemon.environment(of: activating.bus))
    #expect(idle.status == .exited(0) && idle.output.contains("does not run; the next call starts it"), "\(idle)")
  }
}
