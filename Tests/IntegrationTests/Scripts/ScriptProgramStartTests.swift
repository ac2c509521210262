import CoordinatorClient
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Scripts on a bus without a service manager", .timeLimit(.minutes(5)))
struct ScriptProgramStartTests {
  private static let coffee = "#!/bin/sh\n# coordinator: title=Coffee\nask menu size Size small=Small\nask finish\n"

  /// A user's home: the daemon and `coordinator-scripts` find their scripts in it.
  private final class Home: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/home-\(UUID().uuidString)"
    let services: ActivatingBus
    var flows: String { "\(path)/coordinatord/flows" }
    /// The numbers of the processes that the bus has started.
    var started: [pid_t] {
      ((try? String(contentsOfFile: "\(path)/started", encoding: .utf8)) ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }

    init(_ command: String = "exec \"$program\"") throws {
      try FileManager.default.createDirectory(atPath: "\(path)/coordinatord/flows", withIntermediateDirectories: true)
      let service = try """
      export XDG_CONFIG_HOME=\(path) XDG_CONFIG_DIRS=\(path) XDG_DATA_HOME=\(path) XDG_RUNTIME_DIR=\(path)
      echo $$ >>\(path)/started
      program=\(Built.executable("coordinator-scripts"))
      \(command)

      """
      try service.write(toFile: "\(path)/service", atomically: true, encoding: .utf8)
      services = try ActivatingBus(["org.coordinatord.Scripts": "/bin/sh \(path)/service"])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String, mode: mode_t = 0o755) throws {
      try ExecutableFile.write(text, to: "\(flows)/\(name)", mode: mode)
    }

    func daemon() async throws -> RunningDaemon {
      try await RunningDaemon.start(
        on: services.bus, through: ["env", "XDG_CONFIG_HOME=\(path)", "XDG_CONFIG_DIRS=\(path)", "XDG_DATA_HOME=\(path)"])
    }
  }

  private func message(_ flow: String, _ client: DaemonClient) async -> String {
    do throws(ClientError) {
      _ = try await client.manager.startFlow(flow)
      return "started"
    } catch {
      return "\(error)"
    }
  }

  @Test("The daemon has the bus start coordinator-scripts when a directory has a file, and not otherwise")
  func programStartsWithTheDaemon() async throws {
    let empty = try Home()
    let idle = try await empty.daemon()
    let unknown = await message("coffee", try await idle.client())
    #expect(unknown.contains("there is no flow 'coffee'"), "\(unknown)")
    #expect(empty.started.isEmpty)
    let home = try Home()
    try home.write("coffee", Self.coffee)
    let daemon = try await home.daemon()
    let client = try await daemon.client()
    try await poll { try await client.manager.listFlows().contains { $0.name == "coffee" } }
    #expect(home.started.count == 1)
    #expect(await daemon.stop().status == .exited(0))
    #expect(await idle.stop().status == .exited(0))
  }

  @Test("The first call starts the flow of a script that was written meanwhile, and so does one while the program starts again")
  func firstCallStartsTheScript() async throws {
    let home = try Home()
    let daemon = try await home.daemon()
    let client = try await daemon.client()
    try home.write("coffee.sh", Self.coffee)
    try await Flow.start("coffee", client).shows("size")
    #expect(home.started.count == 1)
    // The program, which runs now, may not have noticed this file yet.
    try home.write("tea", Self.coffee)
    try await Flow.start("tea", client).shows("size")
    for process in home.started { kill(process, SIGKILL) }
    try await Flow.start("coffee", client).shows("size")
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test("The error for an unknown flow says why the file of its name is no flow")
  func errorExplains() async throws {
    let home = try Home()
    try home.write("coffee", Self.coffee)
    try home.write("tea", Self.coffee, mode: 0o644)
    try home.write("milk", Self.coffee.replacing("title", with: "titel"))
    try home.write("mute", "#!/bin/sh\necho 'one line' >&2\necho 'no tea leaves' >&2\nexit 1\n")
    try home.write("parent", Self.coffee.replacing("menu size Size small=Small", with: "run tea"))
    try home.write("open", Self.coffee, mode: 0o777)
    try home.write("foreign", Self.coffee.replacing("Coffee", with: "Coffee; user=nobody"))
    let daemon = try await home.daemon()
    let client = try await daemon.client()
    for (flow, reason) in [
      ("tea", "tea is no flow: is not executable, and is ignored; chmod +x would make it a flow"),
      ("milk", "milk is no flow: line 2: there is no titel"),
      ("mute", "mute is no flow: has no comment"), ("open", "open is no flow: can be written by others"),
      ("foreign", "foreign is no flow: is to run as nobody"),
    ] {
      let text = await message(flow, client)
      #expect(text.contains("there is no flow '\(flow)'") && text.contains("\(home.flows)/\(reason)"), "\(text)")
    }
    let mute = await message("mute", client)
    #expect(mute.contains("does not print a description of its flows: no tea leaves"), "\(mute)")
    let child = await message("parent", client)
    #expect(child.contains("no flow 'tea': \(home.flows)/tea is no flow: is not executable"), "\(child)")
    let unknown = await message("cocoa", client)
    #expect(!unknown.contains(home.flows), "\(unknown)")
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test("A flow starts although only a stored tree of it is known, because the program that serves it is still starting")
  func storedTreeDoesNotHideTheScript() async throws {
    let home = try Home("sleep 1; exec \"$program\"")
    try home.write("coffee", Self.coffee)
    let first = try await home.daemon()
    try await Flow.start("coffee", first.client()).shows("size")
    #expect(await first.stop().status == .exited(0))
    for process in home.started { kill(process, SIGKILL) }
    let second = try await home.daemon()
    let client = try await second.client()
    try await poll { try await client.manager.listActive().count == 1 }
    #expect(await message("coffee", client) == "started")
    #expect(await second.stop().status == .exited(0))
  }

  @Test("Each tool that opens a flow finds a script that was written meanwhile, and says why another file is none")
  func toolsFindTheScript() async throws {
    let (tui, control) = (try Built.executable("coordinator-tui"), try Built.executable("coordinatorctl"))
    let home = try Home()
    let daemon = try await home.daemon()
    let client = try await daemon.client()
    try home.write("coffee", Self.coffee)
    _ = try await daemon.run(tui, "--linear", "coffee")
    #expect(try await client.manager.listActive().map(\.flow) == ["coffee"])
    try home.write("tea", Self.coffee, mode: 0o644)
    let tea = try await daemon.run(tui, "--linear", "tea")
    #expect(tea.errors.contains("tea is no flow: is not executable"), "\(tea)")
    #expect(await daemon.stop().status == .exited(0))
    let other = try Home()
    let fresh = try await other.daemon()
    try other.write("coffee", Self.coffee)
    let good = try await fresh.run(control, "answer", "-", "--check", input: "flow: coffee\n")
    #expect(good.status == .exited(0), "\(good)")
    try other.write("tea", Self.coffee, mode: 0o644)
    let bad = try await fresh.run(control, "answer", "-", "--check", input: "flow: tea\n")
    #expect(bad.errors.contains("tea is no flow: is not executable"), "\(bad)")
    #expect(await fresh.stop().status == .exited(0))
  }

  @Test("The error for the flow of a script says why the program that serves scripts cannot be started")
  func errorTellsOfTheProgram() async throws {
    let home = try Home("exit 3")
    try home.write("coffee", Self.coffee)
    let daemon = try await home.daemon()
    let text = await message("coffee", try await daemon.client())
    #expect(text.contains("\(home.flows)/coffee may be its script, but coordinator-scripts"), "\(text)")
    try await daemon.program.says("scripts are not served")
  }
}
