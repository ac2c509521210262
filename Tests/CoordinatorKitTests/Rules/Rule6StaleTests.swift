import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 6: Stale answers", .timeLimit(.minutes(5)))
struct Rule6StaleTests {
  @Test("Rule 6: Of two answers to the same screen, the first wins and the second is stale")
  func firstAnswerToScreenWins() async throws {
    let flow = try await TestFlow.probe()
    let screen = try await flow.top.id
    try await flow.send("push")
    await #expect(throws: CallError.staleScreen(screen, .covered)) {
      try await flow.call(.delegate(flow.tree.root, screen: screen, event: "push", payload: [:], seen: nil))
    }
  }

  @Test("Rule 6: In a thousand races for a screen, exactly one of two answers wins")
  func exactlyOneRacingAnswerWins() async throws {
    let flow = try await TestFlow.probe("a", "b")
    for _ in 0..<1_000 {
      let top = try await flow.top
      let call = TreeCall.delegate(top.coordinator, screen: top.id, event: "replace", payload: [:], seen: nil)
      async let one = result { try await flow.call(call) }
      async let other = result { try await flow.call(call) }
      let results = await [one, other]
      #expect(results.count { if case .success = $0 { true } else { false } } == 1)
      #expect(results.contains(.failure(.staleScreen(top.id, .gone))))
    }
  }

  @Test("Rule 6: An answer to a screen that has been updated since is stale because it changed")
  func answerToUpdatedScreenIsStale() async throws {
    let flow = try await TestFlow.probe()
    let top = try await flow.top
    try await flow.tell(.note, "new")
    await #expect(throws: CallError.staleScreen(top.id, .changed)) {
      try await flow.call(.delegate(flow.tree.root, screen: top.id, event: "note", payload: [:], seen: 1))
    }
    try await flow.call(.delegate(flow.tree.root, screen: top.id, event: "note", payload: [:], seen: 2))
  }

  @Test("Rule 6: An answer that names another coordinator's screen is stale because the screen is elsewhere")
  func screenOfAnotherCoordinatorIsElsewhere() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    let top = try await flow.top
    await #expect(throws: CallError.staleScreen(top.id, .elsewhere)) {
      try await flow.call(.delegate(flow.tree.root, screen: top.id, event: "note", payload: [:], seen: nil))
    }
  }

  private func result(_ body: () async throws -> TreeAnswer) async -> Result<TreeAnswer, CallError> {
    do {
      return .success(try await body())
    } catch {
      return .failure(error as? CallError ?? .notStored("\(error)"))
    }
  }
}
