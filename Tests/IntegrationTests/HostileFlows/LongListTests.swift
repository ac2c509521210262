import CoordinatorBus
import CoordinatorClient
import DBus
import Testing

@Suite("Rule 11: A long list", .serialized, .timeLimit(.minutes(5)))
struct LongListTests {
  @Test("A list of 10 000 items can be shown, read and chosen from, and one item more is refused without effect")
  func listOfTenThousandItemsIsTheLongest() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    let client = try await daemon.client()
    let flow = try await begin(client, 10_000)
    let router = try Contract.routerPath(of: flow.path)
    var signals = try await client.signals(of: daemon).makeAsyncIterator()
    let before = try await flow.router.window()
    #expect(before.screens.map(\.screen.items?.count) == [10_000])
    #expect(before.screens.first?.screen.items?.last?.id == "item-9999")

    #expect(try await client.trySend("add", to: flow.path, screen: 1) == "LimitsExceeded")
    #expect(try await client.tryStart("long-list", ["count": .int64(10_001)], token: "longer") == "LimitsExceeded")
    #expect(try await flow.router.window() == before)
    #expect(try await client.manager.listActive().map(\.coordinator) == [flow.path])

    #expect(try await choose("item-9999", flow) == 2)
    #expect(try await flow.send("mark") == 3)
    let after = try await flow.router.window()
    #expect(after.screens.map(\.screen.body) == ["item-9999"])
    #expect(after.screens.first?.screen.items?.last?.subtitle == "marked")
    // Refused calls emit no signals.
    var told: [String] = []
    while told.count < 4, case .signal(let signal)? = await signals.next() {
      guard signal.path == router, let heard = RouterSignal(member: signal.member, body: signal.body) else { continue }
      told.append("\(heard.revision ?? 0) \(heard.member)")
    }
    #expect(told == ["2 Updated", "2 Settled", "3 Updated", "3 Settled"])
    #expect(try await flow.coordinator.dismiss() == 4)
    #expect(await daemon.stop().status == .exited(0))
  }

  /// Compares two lists instead of a list with a clock, because other tests use the machine too. Ten times as many items take
  /// at most ten times as long if the time grows linearly with the length, and a hundred times if quadratically.
  @Test("The time of an event and of reading the window does not grow faster than the length of a list")
  func timeGrowsNoFasterThanTheList() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    let client = try await daemon.client()
    let short = try await times(client, 1_000)
    let long = try await times(client, 10_000)
    #expect(long.body < short.body * 40)
    #expect(long.item < short.item * 40)
    #expect(long.read < short.read * 40)
    #expect(await daemon.stop().status == .exited(0))
  }

  /// Returns the shortest time of an event that changes the body of a list's screen, of one that changes an item, and
  /// of reading the window.
  private func times(_ client: DaemonClient, _ count: Int64) async throws -> (body: Duration, item: Duration, read: Duration) {
    let flow = try await begin(client, count)
    let clock = ContinuousClock()
    var (body, item, read): ([Duration], [Duration], [Duration]) = ([], [], [])
    for number in 1...5 {
      body.append(try await clock.measure { _ = try await choose("item-\(number)", flow) })
      item.append(try await clock.measure { _ = try await flow.coordinator.delegate(screen: 1, event: "mark") })
      read.append(try await clock.measure { _ = try await flow.router.window() })
    }
    _ = try await flow.coordinator.dismiss()
    return (try #require(body.min()), try #require(item.min()), try #require(read.min()))
  }

  private func begin(_ client: DaemonClient, _ count: Int64) async throws -> Flow {
    try Flow(client, await client.manager.startFlow("long-list", input: ["count": .integer(count)]).coordinator)
  }

  private func choose(_ item: String, _ flow: Flow) async throws -> UInt64 {
    try await flow.coordinator.delegate(screen: 1, event: "select", payload: ["id": .string(item)])
  }
}
