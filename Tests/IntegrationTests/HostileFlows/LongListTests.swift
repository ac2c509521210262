import CoordinatorBus
import CoordinatorClient
import DBus
import Testing

@Suite("Rule 11: A long list", .serialized, .timeLimit(.minutes(1)))
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

  @Test("An event on a list of up to 10 000 items takes less than two seconds in the median")
  func longListKeepsEventsQuick() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    let client = try await daemon.client()
    let clock = ContinuousClock()
    for count: Int64 in [10, 1_000, 10_000] {
      let flow = try await begin(client, count)
      var body = Latencies()
      var items = Latencies()
      for number in 1...5 {
        body.add(try await clock.measure { _ = try await choose("item-\(number)", flow) })
        items.add(try await clock.measure { _ = try await flow.coordinator.delegate(screen: 1, event: "mark") })
      }
      var reads = Latencies()
      for _ in 1...5 { reads.add(try await clock.measure { _ = try await flow.router.window() }) }
      print("A list of \(count) items, an event that changes its body: \(body)")
      print("A list of \(count) items, an event that changes one of them: \(items)")
      print("A list of \(count) items, reading the window: \(reads)")
      #expect(body.median < .seconds(2))
      #expect(items.median < .seconds(2))
      _ = try await flow.coordinator.dismiss()
    }
    #expect(await daemon.stop().status == .exited(0))
  }

  private func begin(_ client: DaemonClient, _ count: Int64) async throws -> Flow {
    try Flow(client, await client.manager.startFlow("long-list", input: ["count": .integer(count)]).coordinator)
  }

  private func choose(_ item: String, _ flow: Flow) async throws -> UInt64 {
    try await flow.coordinator.delegate(screen: 1, event: "select", payload: ["id": .string(item)])
  }
}
