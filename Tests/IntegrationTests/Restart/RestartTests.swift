import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Foundation
import Glibc
import TestBus
import Testing

@Suite("Rule 10: A daemon that is killed and started again", .timeLimit(.minutes(5)))
struct RestartTests {
  @Test("Rule 10: Every tree is restored with its ids, paths, screens, values, revision, outcomes and request keys")
  func everyTreeIsRestored() async throws {
    let bus = try PrivateBus()
    var daemon = try await RunningDaemon.start(on: bus)
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    for event in ["schedule-visit", "sick", "little"] { try await pets.send(event) }
    let shop = try await Flow.start("shop", client, options: Options(token: "my_shop"))
    try await shop.send("log-in")
    let ended = try await Flow.start("schedule-visit", client, options: Options(token: "visit"))
    try await ended.send("well")
    try await ended.send("okay")
    let before = [try await pets.router.window(), try await shop.router.window()]
    let objects = try await client.managedPaths()
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.ended()
    daemon = try await RunningDaemon.start(on: bus)
    #expect(try await client.managedPaths() == objects)
    #expect(try await [pets.router.window(), shop.router.window()] == before)
    #expect(try await client.manager.outcome(of: ended.path)?.name == "finished")
    // The same token denotes the same flow.
    #expect(try await client.manager.startFlow("shop", options: Options(token: "my_shop")).coordinator == shop.path)
    #expect(try await client.manager.startFlow("schedule-visit", options: Options(token: "visit")).coordinator == ended.path)
    // The flow continues.
    try await pets.send("is-fake")
    #expect(try await pets.screens() == ["1 home"])
    #expect(try await Flow.start("pets", client).path != pets.path)
  }

  @Test("A password check interrupted by a restart shows the form again with the name as typed")
  func interruptedCheckShowsTheFormAgain() async throws {
    let (daemon, client) = try await Self.start()
    let flow = try await Flow.start("account", client)
    let screen = try await flow.top()
    let payload: [String: JSONValue] = ["username": "demo", "password": "open-sesame"]
    _ = try await flow.coordinator.delegate(screen: screen, event: "submit", payload: payload)
    let next = try await Self.kill(daemon)
    let mirror = try await WindowMirror.attach(to: flow.path, of: client, kind: "test")
    for try await case .window(let window) in mirror.events {
      guard let top = window.top, top.screen.progress == nil else { continue }
      #expect(top.id == screen)
      #expect(top.screen.messages.map(\.code) == ["interrupted"])
      #expect(top.screen.values == ["username": "demo"])
      break
    }
    _ = await next.stop()
  }

  @Test("After a restart timeouts keep counting, and flows whose caller has left are cancelled")
  func timeoutsAndLifetimesSurviveARestart() async throws {
    let (daemon, client) = try await Self.start()
    let owner = try await daemon.client()
    let patient = try await Flow.start("pets", client, options: Options(timeout: 3_600_000_000))
    let late = try await Flow.start("pets", client, options: Options(timeout: 1))
    let bound = try await Flow.start("pets", owner, options: Options(lifetime: .caller))
    let stillBound = try await Flow.start("pets", client, options: Options(lifetime: .caller))
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.ended()
    await owner.connection.close()
    let next = try await RunningDaemon.start(on: daemon.bus)
    // The flows may be back for a moment, because they end in transitions like any other.
    for flow in [late, bound] {
      let signals = try await client.signals(of: next)
      #expect(try await client.end(of: flow.path, told: signals) == "cancelled")
    }
    for flow in [patient, stillBound] { #expect(try await flow.screens() == ["1 home"]) }
    await client.connection.close()
    _ = await next.stop()
  }

  @Test("A call for a tree that is not restored yet waits for it")
  func callForATreeBeingRestoredWaits() async throws {
    let (daemon, client) = try await Self.start()
    var last: Flow?
    for _ in 0..<300 { last = try await Flow.start("pets", client) }
    let flow = try #require(last)
    let next = try await Self.kill(daemon)
    #expect(try await flow.send("schedule-visit") == 2)
    #expect(try await client.manager.listActive().count == 300)
    _ = await next.stop()
  }

  @Test("A damaged database is moved aside and reported, and the daemon starts empty")
  func damagedDatabaseIsMovedAside() async throws {
    let (daemon, client) = try await Self.start()
    _ = try await Flow.start("pets", client)
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.ended()
    let directory = URL(filePath: daemon.bus.directory).appending(path: "coordinatord")
    let file = directory.appending(path: "journal.sqlite")
    try Data("This is no database, though it is as long as the header of one has to be: a hundred bytes and a few.".utf8).write(
      to: file)
    // While the write-ahead log is intact, so is its content.
    try FileManager.default.removeItem(at: directory.appending(path: "journal.sqlite-wal"))
    let next = try await RunningDaemon.start(on: daemon.bus)
    #expect(try await client.manager.listActive().isEmpty)
    _ = try await Flow.start("pets", client)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let aside = try #require(
      names.first { $0.hasPrefix("journal.sqlite.damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
    #expect(await next.stop().errors.contains(aside))
  }

  @Test("A database with a damaged page is moved aside before anything of it is served")
  func databaseDamagedInsideIsNeverServed() async throws {
    let (daemon, client) = try await Self.start()
    _ = try await Flow.start("pets", client)
    // Moves everything from the log to the database.
    _ = await daemon.stop()
    let directory = URL(filePath: daemon.bus.directory).appending(path: "coordinatord")
    let file = directory.appending(path: "journal.sqlite")
    var data = try Data(contentsOf: file)
    let last = data.count / 4_096 * 4_096 - 4_096
    data.replaceSubrange(last..<(last + 4_096), with: Data(repeating: 0xA5, count: 4_096))
    try data.write(to: file)
    let next = try await RunningDaemon.start(on: daemon.bus)
    #expect(try await client.manager.listActive().isEmpty)
    let flow = try await Flow.start("pets", client)
    #expect(try await flow.send("schedule-visit") == 2)
    let third = try await Self.kill(next)
    #expect(try await flow.screens() == ["1 home", "2 select-visit-type"])
    _ = await third.stop()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.contains { $0.hasPrefix("journal.sqlite.damaged-") })
  }

  @Test("On a full disk calls fail with NotStored and change nothing, and they succeed once there is room again")
  func fullDiskFailsCallsWithNotStored() async throws {
    let (daemon, client) = try await Self.start()
    let flow = try await Flow.start("pets", client)
    try await daemon.limitFiles(to: "1")
    let before = try await flow.router.window()
    for _ in 0..<3 {
      await #expect {
        _ = try await flow.coordinator.delegate(screen: 1, event: "schedule-visit")
      } throws: { error in
        guard case ClientError.refused(.notStored) = error else { return false }
        return true
      }
    }
    await #expect(throws: ClientError.self) { try await Flow.start("pets", client) }
    #expect(try await flow.router.window() == before)
    try await daemon.limitFiles(to: "unlimited")
    #expect(try await flow.send("schedule-visit") == 2)
    let next = try await Self.kill(daemon)
    #expect(try await flow.screens() == ["1 home", "2 select-visit-type"])
    _ = await next.stop()
  }

  private static func start() async throws -> (RunningDaemon, DaemonClient) {
    let daemon = try await RunningDaemon.start()
    return (daemon, try await daemon.client())
  }

  /// Kills the daemon and starts another one in its place.
  private static func kill(_ daemon: RunningDaemon) async throws -> RunningDaemon {
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.ended()
    return try await RunningDaemon.start(on: daemon.bus)
  }
}
