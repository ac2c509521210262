import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@Suite("The Router's signals")
struct RouterSignalTests {
  static let all: [RouterSignal] = [
    .presented(revision: 2, screen: ["id": .uint64(1)], animated: true),
    .updated(revision: 3, screen: 1, changed: ["title": .string("T")], removed: ["accent"]),
    .progress(screen: 1, progress: Progress(fraction: 0.5, text: "half")),
    .dismissed(revision: 4, screen: 1, reason: "back", animated: false),
    .settled(revision: 4, top: 0),
  ]

  @Test("come back from the bus as they were sent", arguments: all)
  func roundTrip(signal: RouterSignal) {
    #expect(RouterSignal(member: signal.member, body: signal.body) == signal)
  }

  @Test("have the types of the contract", arguments: all)
  func types(signal: RouterSignal) throws {
    let description = try #require(Contract.router.signals.first { $0.name == signal.member })
    #expect(signal.body.map(\.type.description) == description.arguments.map(\.type.string))
  }

  @Test("are not read from other bodies", arguments: all)
  func malformed(signal: RouterSignal) {
    #expect(RouterSignal(member: signal.member, body: []) == nil)
    #expect(RouterSignal(member: signal.member, body: signal.body.map { _ in .double(0) }) == nil)
    #expect(RouterSignal(member: "Unheard", body: signal.body) == nil)
  }
}
