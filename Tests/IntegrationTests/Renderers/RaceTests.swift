import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus
import Testing

@Suite("Two renderers that answer the same screen at the same time", .timeLimit(.minutes(5)))
struct RaceTests {
  private enum Answer: Hashable {
    case won(revision: UInt64)
    case stale(Staleness)
    case unknownObject
    case unexpected(String)

    var hasWon: Bool { if case .won = self { true } else { false } }
  }

  private static let rounds = 1_000

  @Test("Of two simultaneous answers exactly one wins and the other gets StaleScreen, and the same goes for Back")
  func exactlyOneOfTwoAnswersWins() async throws {
    let daemon = try await RunningDaemon.start()
    let clients = [try await daemon.client(), try await daemon.client()]
    let pets = try await Flow.start("pets", clients[0])
    let flows = try clients.map { try pets.seen(by: $0) }
    var wins = [0, 0]
    for round in 0..<Self.rounds {
      let forward = await Self.bothAnswer(flows, first: round % 2) {
        try await $0.coordinator.delegate(screen: 1, event: "schedule-visit")
      }
      let revision = UInt64(2 * round + 2)
      try #require(Set(forward) == [.won(revision: revision), .stale(.covered)], "round \(round): \(forward)")
      let visit = UInt64(round + 2)
      let back = await Self.bothAnswer(flows, first: round % 2) { try await $0.router.back(screen: visit) }
      try #require(Set(back) == [.won(revision: revision + 1), .stale(.gone)], "round \(round): \(back)")
      for index in wins.indices { wins[index] += [forward, back].count { $0[index].hasWon } }
    }
    print("Of \(2 * Self.rounds) races the two renderers won \(wins[0]) and \(wins[1])")
    #expect(wins.min() ?? 0 > 0, "nobody raced: \(wins)")
    #expect(try await pets.screens() == ["1 home"])
  }

  @Test("The client that loses the race for a coordinator's last screen gets UnknownObject")
  func loserOfTheLastScreenGetsUnknownObject() async throws {
    let daemon = try await RunningDaemon.start()
    let clients = [try await daemon.client(), try await daemon.client()]
    for round in 0..<50 {
      let visit = try await Flow.start("schedule-visit", clients[0])
      try await visit.send("well")
      let flows = try clients.map { try visit.seen(by: $0) }
      let answers = await Self.bothAnswer(flows, first: round % 2) {
        try await $0.coordinator.delegate(screen: 2, event: "okay")
      }
      try #require(Set(answers) == [.won(revision: 3), .unknownObject], "round \(round): \(answers)")
    }
  }

  private typealias Call = @Sendable (Flow) async throws -> UInt64

  /// Makes two calls before either is answered; `first` sends first, as far as the threads' scheduling allows.
  private static func bothAnswer(_ flows: [Flow], first: Int, _ call: @escaping Call) async -> [Answer] {
    let order = [first, 1 - first]
    async let one = answer(flows[order[0]], call)
    async let other = answer(flows[order[1]], call)
    let answers = await [one, other]
    return order.map { answers[$0] }
  }

  private static func answer(_ flow: Flow, _ call: Call) async -> Answer {
    do {
      return .won(revision: try await call(flow))
    } catch ClientError.refused(.staleScreen(_, let why)) {
      return .stale(why)
    } catch let error as ClientError where error.isUnknownObject {
      return .unknownObject
    } catch {
      return .unexpected("\(error)")
    }
  }
}
