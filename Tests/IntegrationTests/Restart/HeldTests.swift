import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Foundation
import Glibc
import TestBus
import Testing

/// Changes the stored data between two runs of the daemon, to simulate another version or damage.
@Suite("Rule 10: Trees that the next daemon cannot restore", .timeLimit(.minutes(5)))
struct HeldTests {
  @Test("Rule 10: A tree stored by a newer version survives an older daemon and is restored by a newer one")
  func treeOfANewerVersionIsHeldAndRestored() async throws {
    var daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client, options: Options(token: "mine"))
    for event in ["schedule-visit", "sick"] { try await pets.send(event) }
    let shop = try await Flow.start("shop", client)
    let before = [try await pets.router.window(), try await shop.router.window()]
    let objects = try await client.managedPaths()

    daemon = try await Self.restart(daemon, "UPDATE coordinator SET version = 2 WHERE flow = 'pets'")
    let reason = "it was stored by version 2 of the flow pets, but this daemon has version 1"
    #expect(try await pets.router.window() == MirroredWindow(revision: before[0].revision, screens: [], held: reason))
    #expect(try await shop.router.window() == before[1])
    #expect(try await client.managedPaths() == objects)
    #expect(try await client.manager.startFlow("pets", options: Options(token: "mine")).coordinator == pets.path)
    await #expect(throws: ClientError.refused(.held(message: "the flow is held: \(reason)"))) {
      try await pets.coordinator.delegate(screen: 0, event: "schedule-visit")
    }
    try await expectTools(daemon, reason)

    daemon = try await Self.restart(daemon, "UPDATE coordinator SET version = 1 WHERE flow = 'pets'")
    #expect(try await [pets.router.window(), shop.router.window()] == before)
    #expect(try await client.managedPaths() == objects)
    #expect(try await pets.send("little") == before[0].revision + 1)
    let report = try await daemon.run(Built.executable("coordinatorctl"), "retry")
    #expect(report.status == .exited(0))
    #expect(report.output == "0 no longer held, 0 still held\n")
    _ = await daemon.stop()
  }

  private func expectTools(_ daemon: RunningDaemon, _ reason: String) async throws {
    let tool = try Built.executable("coordinatorctl")
    let tree = try await daemon.run(tool, "tree")
    #expect(tree.output.contains("mine\n   held: \(reason)\n"), "\(tree)")
    let json = try await daemon.run(tool, "tree", "--json")
    #expect(json.output.contains("\"held\":\"\(reason)\""), "\(json)")
    let show = try await daemon.run(tool, "show", "mine")
    #expect(show.output.contains("This flow is held: \(reason)"), "\(show)")
    #expect(show.output.contains("coordinatorctl retry"), "\(show)")
    for command in [["send", "mine", "sick"], ["back", "mine"], ["dismiss", "mine/schedule_visit_1"]] {
      let report = try await Program.run([tool] + command, environment: daemon.environment)
      #expect(report.status == .exited(12), "\(report)")
      #expect(report.errors.contains("held: \(reason)") && report.errors.contains("coordinatorctl retry"), "\(report)")
    }
    let retry = try await daemon.run(tool, "retry")
    #expect(retry.status == .exited(1))
    #expect(retry.output == "0 no longer held, 1 still held\n  mine: \(reason)\n")
  }

  @Test("Rule 10: Unreadable rows hold their own tree and no other")
  func unreadableRowsHoldOnlyTheirTree() async throws {
    var daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flows = [
      try await Flow.start("pets", client), try await Flow.start("pets", client), try await Flow.start("shop", client),
    ]
    daemon = try await Self.restart(
      daemon, "UPDATE coordinator SET router = 'nonsense' WHERE tree = (SELECT id FROM tree WHERE name = 'pets_1')",
      "UPDATE screen SET style = 'nonsense' WHERE tree = (SELECT id FROM tree WHERE flow = 'shop')")
    #expect(try await flows[1].screens() == ["1 home"])
    for held in [flows[0], flows[2]] {
      #expect(try await held.coordinator.held()?.contains("cannot be read") == true)
      #expect(try await client.manager.outcome(of: held.path) == nil)
    }
    #expect(try await client.manager.listActive().map(\.coordinator) == flows.map(\.path))
    daemon = try await Self.restart(
      daemon, "UPDATE coordinator SET router = (SELECT router FROM coordinator WHERE path = 'pets_2') WHERE path = 'pets_1'")
    #expect(try await flows[0].screens() == ["1 home"])
    #expect(try await flows[2].coordinator.held() != nil)
    _ = await daemon.stop()
  }

  @Test("Rule 10: Dismissing a held tree has no effect unless it can be stored")
  func dismissalOfAHeldTreeIsStored() async throws {
    var daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flow = try await Flow.start("pets", client)
    daemon = try await Self.restart(daemon, "UPDATE coordinator SET flow = 'gone', version = 1", "UPDATE tree SET flow = 'gone'")
    #expect(try await client.manager.listActive().map(\.flow) == ["gone"])
    try await daemon.limitFiles(to: "1")
    await #expect {
      _ = try await flow.coordinator.dismiss()
    } throws: { error in
      guard case ClientError.refused(.notStored) = error else { return false }
      return true
    }
    #expect(try await flow.coordinator.held() == "the flow gone no longer exists")
    try await daemon.limitFiles(to: "unlimited")
    let report = try await daemon.run(Built.executable("coordinatorctl"), "dismiss")
    #expect(report.output == "The flow was cancelled.\n", "\(report)")
    daemon = try await Self.restart(daemon)
    #expect(try await client.manager.outcome(of: flow.path) == .cancelled)
    #expect(try await client.manager.listActive().isEmpty)
    let log = try await daemon.run(Built.executable("coordinatorctl"), "log", "--json", "pets_1")
    let last = try #require(log.output.split(separator: "\n").last)
    #expect(last.contains("\"event\":\"dismiss\"") && last.contains("\"outcome\":\"cancelled\""), "\(log)")
    _ = await daemon.stop()
  }

  @Test("A token is recognized while flows are restored, even in options of type a{ss}")
  func tokenInStringOptionsFindsItsFlow() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    for _ in 0..<300 { _ = try await Flow.start("pets", client) }
    let flow = try await Flow.start("pets", client, options: Options(token: "mine"))
    let next = try await Self.restart(daemon)
    let options = Value.dictionary(key: .string, value: .string, [DictionaryEntry(key: .string("token"), value: .string("mine"))])
    let reply = try await client.raw(
      Contract.rootPath, Contract.managerInterface, "StartFlow", [.string("pets"), .vardict([:]), options])
    #expect(reply.first == .objectPath(flow.path))
    #expect(try await client.manager.listActive().count == 301)
    _ = await next.stop()
  }

  /// Kills the daemon, changes its stored data, and starts another one in its place.
  private static func restart(_ daemon: RunningDaemon, _ statements: String...) async throws -> RunningDaemon {
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.ended()
    let file = daemon.bus.directory + "/coordinatord/journal.sqlite"
    for statement in statements {
      let report = try await Program.run(["sqlite3", file, statement])
      try #require(report.status == .exited(0), "\(report)")
    }
    return try await RunningDaemon.start(on: daemon.bus)
  }
}
