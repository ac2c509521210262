import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 6: stale is not wrong")
struct Rule6StaleTests {
  @Test("Rule 6: of two that answer the same screen the first wins, and the second is told that it is stale")
  func firstWins() async throws {
    let flow = try await TestFlow.probe()
    let screen = try await flow.top.id
    try await flow.send("push")
    await #expect(throws: CallError.staleScreen(screen, .covered)) {
      try await flow.call(.delegate(flow.tree.root, screen: screen, event: "push", payload: [:], seen: nil))
    }
  }

  @Test("Rule 6: a thousand times over, exactly one of two wins")
  func raceForAScreen() async throws {
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

  @Test("Rule 6: who answers a screen that was updated since is told that it changed")
  func updatedSince() async throws {
    let flow = try await TestFlow.probe()
    let top = try await flow.top
    try await flow.tell(.note, "new")
    await #expect(throws: CallError.staleScreen(top.id, .changed)) {
      try await flow.call(.delegate(flow.tree.root, screen: top.id, event: "note", payload: [:], seen: 1))
    }
    try await flow.call(.delegate(flow.tree.root, screen: top.id, event: "note", payload: [:], seen: 2))
  }

  @Test("Rule 6: a screen of another coordinator is elsewhere")
  func elsewhere() async throws {
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
