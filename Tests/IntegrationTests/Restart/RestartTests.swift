import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import TestBus
import Testing

@Suite("Rule 10: the daemon is killed and started again", .timeLimit(.minutes(2)))
struct RestartTests {
  @Test("Rule 10: every tree is back: ids, paths, screens, values, revision, outcomes and request keys")
  func same() async throws {
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
    // The same token is the same flow.
    #expect(try await client.manager.startFlow("shop", options: Options(token: "my_shop")).coordinator == shop.path)
    #expect(try await client.manager.startFlow("schedule-visit", options: Options(token: "visit")).coordinator == ended.path)
    // And it goes on.
    try await pets.send("is-fake")
    #expect(try await pets.screens() == ["1 home"])
    #expect(try await Flow.start("pets", client).path != pets.path)
  }
}
