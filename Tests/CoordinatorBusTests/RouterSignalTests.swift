import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@Suite("Router signals", .timeLimit(.minutes(5)))
struct RouterSignalTests {
  static let all: [RouterSignal] = [
    .presented(revision: 2, screen: ["id": .uint64(1)], animated: true),
    .updated(revision: 3, screen: 1, changed: ["title": .string("T")], removed: ["accent"]),
    .progress(screen: 1, progress: Progress(fraction: 0.5, text: "half")),
    .dismissed(revision: 4, screen: 1, reason: "back", animated: false),
    .settled(revision: 4, top: 0),
  ]

  @Test("A router signal survives a round trip over the bus", arguments: all)
  func routerSignalRoundTripsOverTheBus(signal: RouterSignal) {
    #expect(RouterSignal(member: signal.member, body: signal.body) == signal)
  }

  @Test("A router signal has the argument types of the contract", arguments: all)
  func routerSignalHasContractTypes(signal: RouterSignal) throws {
    let description = try #require(Contract.router.signals.first { $0.name == signal.member })
    #expect(signal.body.map(\.type.description) == description.arguments.map(\.type.string))
  }

  @Test("A signal with another body or name does not decode as a router signal", arguments: all)
  func malformedSignalIsNotDecoded(signal: RouterSignal) {
    #expect(RouterSignal(member: signal.member, body: []) == nil)
    #expect(RouterSignal(member: signal.member, body: signal.body.map { _ in .double(0) }) == nil)
    #expect(RouterSignal(member: "Unheard", body: signal.body) == nil)
  }
}
