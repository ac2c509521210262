import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("P12: Work and looks that kill their provider", .timeLimit(.minutes(5)))
struct WorkPoisonTests {
  /// Decides for a flow whose events start work of their name; the state shows its end. A look gets no answer.
  private static let menu: TestProvider.Decider = { question throws(DBusError) in
    switch (question.kind, question.name) {
    case ("start", _):
      return .answer(
        "", do: [.op("present", ["key": .string("menu")])],
        screens: ["menu": .screen("menu", "menu", "Menu", actions: ["poison": "Poison", "good": "Good", "go": "Go"])])
    case ("event", "go"): return .answer(question.state)
    case ("event", let name): return .answer(question.state, do: [.op("work", ["id": .string(name)])])
    case ("looking", _): return nil
    case ("work-ended", _):
      return .answer("", do: [.op("finish", ["result": .vardict(["is": question.event["error"] ?? .string("done")])])])
    default: return .answer(question.state)
    }
  }

  private static let name = "com.example.Menu"

  private func provider(_ daemon: TestDaemon) async throws -> TestProvider {
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    #expect(try await provider.connection.requestName(Self.name) == .primaryOwner)
    try await provider.serve(.flow("menu", ["looking": .boolean(true)]), named: Self.name, digest: "first")
    return provider
  }

  /// The events of the work so far.
  private struct News: Sendable {
    var poisons = 0
    /// The attempts of the harmless work.
    var attempts: [UInt32] = []
    var ended = 0
  }

  /// Records the work that a provider begins, and ends harmless work that was begun again.
  private func watch(_ provider: TestProvider, _ news: Observed<News>) {
    Task {
      for await begun in provider.performed.stream {
        guard begun.work == "good" else {
          news.update { $0.poisons += 1 }
          continue
        }
        news.update { $0.attempts.append(begun.attempt) }
        if begun.attempt > 1 { try await provider.end(begun, ["value": .string("done")]) }
      }
    }
  }

  @Test("Work that kills its provider fails after three deaths that count, and what was performed beside it is not blamed")
  func poison() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let news = Observed(News())
    let ends = try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowEnded"))
    Task { for await case .signal in ends { news.update { $0.ended += 1 } } }
    var provider = try await provider(daemon)
    watch(provider, news)
    let (innocent, poisoned) = (try await daemon.start("menu"), try await daemon.start("menu"))
    try await daemon.delegate(innocent, 1, "good")
    try await news.until { $0.attempts == [1] }
    try await daemon.delegate(poisoned, 1, "poison")
    // Without a limit, the provider would die forever.
    for death in 1...12 {
      let now = try await news.until { $0.poisons == death || $0.ended == 2 }
      if now.ended == 2 { break }
      try await daemon.bus.disconnect(provider.connection)
      provider = try await self.provider(daemon)
      watch(provider, news)
    }
    let result = try await news.until { $0.ended == 2 }
    #expect((4..<12).contains(result.poisons))
    #expect(result.attempts.starts(with: [1, 2]))
    let outcome = try await daemon.manager("GetOutcome", [.objectPath(poisoned)])
    #expect(outcome.last?.vardict?["is"]?.vardict?["type"] == .string("ProviderDied"))
    let other = try await daemon.manager("GetOutcome", [.objectPath(innocent)])
    #expect(other.last?.vardict?["is"] == .string("done"))
    try await daemon.end()
  }

  @Test("A look that kills its provider is sent until three deaths have counted, and not again for each renderer")
  func look() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    var provider = try await provider(daemon)
    let root = try await daemon.start("menu")
    let router = try Contract.routerPath(of: root)
    _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict([:])])
    for _ in 0..<4 {
      try await provider.asked { questions in questions.contains { $0.kind == "looking" } }
      try await daemon.bus.disconnect(provider.connection)
      provider = try await self.provider(daemon)
    }
    for _ in 0..<3 {
      _ = try await daemon.call(router, Contract.routerInterface, "Detach", [])
      _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict([:])])
    }
    try await daemon.delegate(root, 1, "go")
    #expect(provider.questions.map(\.kind) == ["event"])
    try await daemon.end()
  }
}
