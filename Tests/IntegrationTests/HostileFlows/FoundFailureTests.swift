import CoordinatorBus
import CoordinatorClient
import DBus
import RendererKit
import TestBus
import Testing

@Suite("What flows in Swift throw is found", .timeLimit(.minutes(5)))
struct FoundFailureTests {
  @Test("People read that a flow has failed, without the type of the error, which is in the log and in coordinatorctl log")
  func thrownErrorIsFound() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    let client = try await daemon.client()
    let flow = try await start("receive", as: "receiving", client)
    let error = await #expect(throws: ClientError.self) { try await flow.send("go") }
    #expect(error?.sentence == "The flow has failed (error).")
    #expect(error?.lines == ["error: a handler threw Plain"], "whoever calls by a tool is told")
    let end = try #require(try await client.manager.outcome(of: flow.path))
    #expect(end == .failed(code: "error", message: "a handler threw Plain", isTechnical: true))
    #expect(EndSummary(end).explanation == "The flow has failed (error).")
    let working = try await start("work", as: "working", client)
    try await working.send("go")
    let parent = try await start("nowhere", as: "parent", client)
    let child: [String: Value] = ["at": .string("start"), "what": .string("plain")]
    #expect(try await client.tryStartChild(of: parent.path, "thrower", child) == "FlowFailed")
    #expect(try await client.tryStart("thrower", child, token: "unborn") == "FlowFailed")
    for (name, message) in [
      ("receiving", "flow failed"), ("working", "work failed"), ("parent", "event failed"),
      ("unborn", "flow failed at its start"),
    ] {
      try await poll { warnings(of: daemon, about: name).count == 1 }
      let line = try #require(warnings(of: daemon, about: name).first)
      #expect(line.contains(message) && line.contains("threw Plain"), "\(line)")
    }
    let log = try await daemon.run(try Built.executable("coordinatorctl"), "log")
    for line in [
      "  receiving failed (error): a handler threw Plain", "  failed in working (error): the work threw Plain",
      "  failed in parent (error): a handler threw Plain",
    ] {
      #expect(log.output.split(separator: "\n").filter { $0 == line }.count == 1, "\(line): \(log.output) \(log.errors)")
    }
  }

  private func start(_ place: String, as name: String, _ client: DaemonClient) async throws -> Flow {
    #expect(try await client.tryStart("thrower", ["at": .string(place), "what": .string("plain")], token: name) == nil)
    return try Flow(client, Contract.flowPath(root: name))
  }

  /// The warnings of the log about a flow tree.
  private func warnings(of daemon: RunningDaemon, about name: String) -> [Substring] {
    daemon.program.errors.split(separator: "\n").filter { $0.contains("warning") && $0.contains("coordinator=\(name)") }
  }
}
