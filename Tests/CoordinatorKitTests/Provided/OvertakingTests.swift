import TestBus
import Testing

@testable import CoordinatorKit
@testable import CoordinatorTestKit

@Suite("P13: What ends a tree does not wait for a provider", .timeLimit(.minutes(1)))
struct OvertakingTests {
  /// Answers the start at once, and everything else when the gate is open.
  private static func slow(_ gate: Observed<Bool>) -> FakeProvider.Decider {
    { question in
      if case .start = question.event { return .first }
      _ = try? await gate.until { $0 }
      return .shows("second")
    }
  }

  @Test("P13: Dismiss of the root passes what waits and drops a Decide under way; the others get UnknownObject")
  func dismiss() async throws {
    let gate = Observed(false)
    let flow = ProvidedTree(Self.slow(gate))
    try await flow.start()
    let call = await flow.delegate("go")
    let asked = Task { try await flow.call(call) }
    try await flow.provider.count.until { $0 == 2 }
    let waiting = Record<Result<TreeAnswer, CallError>>()
    flow.tree.post(call) { waiting.append($0) }
    try await flow.call(.dismiss(flow.tree.root, animated: true))
    #expect(await flow.renderer.state?.outcomes[flow.tree.root] == .cancelled)
    await #expect(throws: CallError.unknownCoordinator(flow.tree.root)) { try await asked.value }
    #expect(waiting.values == [.failure(.unknownCoordinator(flow.tree.root))])
    gate.update { $0 = true }
  }

  @Test("P13: A Dismiss that waited before the provider was asked passes it as well")
  func dismissInTheQueue() async throws {
    let gate = Observed(false)
    let flow = ProvidedTree(Self.slow(gate))
    try await flow.start()
    let call = await flow.delegate("go")
    let outcomes = Record<Result<TreeAnswer, CallError>>()
    // All three are in the queue before the first is taken.
    await flow.tree.block {
      flow.tree.post(call) { outcomes.append($0) }
      flow.tree.post(.dismiss(flow.tree.root, animated: true)) { outcomes.append($0) }
    }
    try await outcomes.reaches(2)
    #expect(await flow.renderer.state?.outcomes[flow.tree.root] == .cancelled)
    gate.update { $0 = true }
  }

  @Test("P13: A timeout and a caller that leaves do not wait for the provider", arguments: [true, false])
  func close(isTimeout: Bool) async throws {
    let gate = Observed(false)
    let flow = ProvidedTree(Self.slow(gate))
    try await flow.start()
    let call = await flow.delegate("go")
    let asked = Task { try await flow.call(call) }
    try await flow.provider.count.until { $0 == 2 }
    _ = try await ProvidedTree.answer { flow.tree.close(isTimeout: isTimeout, reply: $0) }
    await #expect(throws: CallError.unknownCoordinator(flow.tree.root)) { try await asked.value }
    gate.update { $0 = true }
  }

  @Test("P13: A Dismiss that is refused does not drop the Decide; a provider that is away cannot keep a tree from being ended")
  func refused() async throws {
    let gate = Observed(false)
    let flow = ProvidedTree { question in
      if case .start = question.event {
        return .decided(
          FlowDecision(
            state: "", operations: [.present(key: "only", as: nil, animated: true)],
            screens: ["only": .named("first")], canBeCancelled: false))
      }
      _ = try? await gate.until { $0 }
      return .shows("second")
    }
    try await flow.start()
    let call = await flow.delegate("go")
    async let asked = flow.call(call)
    try await flow.provider.count.until { $0 == 2 }
    await #expect(throws: CallError.refused(.notDismissable("pets cannot be dismissed now"))) {
      try await flow.call(.dismiss(flow.tree.root, animated: true))
    }
    gate.update { $0 = true }
    _ = try await asked
    #expect(await flow.tree.state.window.top?.content.name == "second")
    flow.provider.isAway = true
    try await flow.call(.dismiss(flow.tree.root, animated: true))
    #expect(await flow.renderer.state?.outcomes[flow.tree.root] == .cancelled)
  }

  @Test("P17: The result of work is stored while a Decide is under way, and handled after it")
  func result() async throws {
    let gate = Observed(false)
    let flow = ProvidedTree { question in
      switch question.event {
      case .start: return .first
      case .event(name: "work", _, _, _):
        return .shows("first", .startWork(ProvidedWork(id: "w-1", argument: ""), secrets: [:], taking: true))
      case .workEnded("w-1", .done(let value)): return .shows("ended with \(value)")
      default:
        _ = try? await gate.until { $0 }
        return .shows("second", state: "new")
      }
    }
    try await flow.start()
    try await flow.send("work")
    try await flow.provider.begun.until { $0 == ["w-1"] }
    let call = await flow.delegate("go")
    async let asked = flow.call(call)
    try await flow.provider.count.until { $0 == 3 }
    let instance = await flow.instance
    _ = try await ProvidedTree.answer { flow.tree.end(work: "w-1", of: instance, .done("42"), reply: $0) }
    #expect(await flow.tree.state.coordinators[flow.tree.root]?.work.map(\.result) == [.done("42")])
    gate.update { $0 = true }
    _ = try await asked
    _ = await flow.renderer.state { $0.window.top?.content.name == "ended with 42" }
    let kept = flow.provider.questions.map(\.state)
    #expect(kept == ["", "", "", "new"])
    // A second one, and that of unknown work, are ignored.
    _ = try await ProvidedTree.answer { flow.tree.end(work: "w-1", of: instance, .done("43"), reply: $0) }
    _ = try await ProvidedTree.answer { flow.tree.end(work: "w-9", of: instance, .done(""), reply: $0) }
    #expect(flow.provider.questions.count == 4)
  }

  @Test("P17: A stored result outlasts a restart: the work is not performed again")
  func resultIsKept() async throws {
    let flow = ProvidedTree { question in
      switch question.event {
      case .start: .first
      case .event: .shows("first", .startWork(ProvidedWork(id: "w-1", argument: ""), secrets: [:], taking: true))
      case .workEnded(_, .failed(let trouble)): .shows("\(trouble.type): \(trouble.message)")
      default: .notTaken
      }
    }
    try await flow.start()
    try await flow.send("work")
    try await flow.provider.begun.until { $0.count == 1 }
    // The coordinator cannot be notified yet.
    flow.provider.server = nil
    let instance = await flow.instance
    let trouble = ProvidedWork.Trouble(type: "refused", message: "no")
    _ = try await ProvidedTree.answer { flow.tree.end(work: "w-1", of: instance, .failed(trouble), reply: $0) }
    let stored = try StoredTree(await flow.tree.state, in: flow.tree.environment.catalogue)
    flow.tree.forget()
    flow.provider.server = ServingProgram(name: "com.example.Pets", version: 1)
    let (restored, _) = try await FlowTree.restore(stored, environment: flow.tree.environment)
    await restored.resume()
    _ = await flow.renderer.state { $0.window.top?.content.name == "refused: no" }
    #expect(flow.provider.begun.value == ["w-1"])
  }
}
