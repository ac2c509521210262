import Platform
import TestBus
import Testing

@testable import CoordinatorKit
@testable import CoordinatorTestKit

@Suite("P11: The end of a child does not wait for the provider of its parent", .timeLimit(.minutes(1)))
struct ChildEndTests {
  /// A parent whose child has work that ends; the first answers to the end of the child come from a list.
  private func flow(_ troubles: [ProviderTrouble]) -> ProvidedTree {
    let remaining = Lock(troubles)
    return ProvidedTree { question in
      switch (question.instance.flow, question.event) {
      case ("pets", .start):
        return .decided(
          FlowDecision(
            state: "",
            operations: [
              .present(key: "only", as: nil, animated: true),
              .startChild(flow: "visit", input: [:], secrets: [:], .navigation),
            ], screens: ["only": .named("pets")]))
      case ("pets", .childEnded(let child, let outcome, _)):
        if let trouble = remaining.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return .trouble(trouble) }
        return .shows("\(child.flow) \(outcome.name)")
      case ("visit", .start):
        return .shows(
          "visit", .present(key: "only", as: nil, animated: true),
          .startWork(ProvidedWork(id: "w-1", argument: ""), secrets: [:], taking: true))
      case ("visit", .workEnded): return .decided(FlowDecision(state: "", operations: [.finish([:], secrets: [:])]))
      default: return .notTaken
      }
    }
  }

  private func endWork(_ flow: ProvidedTree) async throws {
    try await flow.provider.begun.until { $0.count == 1 }
    let child = flow.tree.root.child("visit_1")
    let record = try #require(await flow.tree.state.coordinators[child])
    let instance = FlowInstance(flow: "visit", path: child, startedAt: record.startedAt)
    _ = try await ProvidedTree.answer { flow.tree.end(work: "w-1", of: instance, .done(""), reply: $0) }
  }

  @Test("P11: The child has ended and its screens are gone, the parent waits, and it is notified first when its provider is back")
  func postponed() async throws {
    let flow = flow([.gone("away")])
    try await flow.start()
    try await endWork(flow)
    let root = flow.tree.root
    let state = await flow.renderer.state { $0.hold(of: root) == "away" }
    #expect(state.coordinators.count == 1 && state.window.screens.map(\.content.name) == ["pets"])
    await #expect(throws: CallError.provider(.gone("away"))) { try await flow.send("go") }
    try await flow.waits.reaches(1)[0].end()
    let told = await flow.renderer.state { $0.hold(of: root) == nil && $0.window.top?.content.name == "visit finished" }
    #expect(told.coordinators[root]?.belongings.childEnds.isEmpty == true)
  }

  @Test("P11: A restart does not forget an end of which the parent has not been notified")
  func restarted() async throws {
    let flow = flow([.gone("away")])
    try await flow.start()
    try await endWork(flow)
    _ = await flow.renderer.state { $0.hold(of: flow.tree.root) == "away" }
    let stored = try StoredTree(await flow.tree.state, in: flow.tree.environment.catalogue)
    flow.tree.forget()
    let (restored, state) = try await FlowTree.restore(stored, environment: flow.tree.environment)
    #expect(state.hasToResume)
    await restored.resume()
    _ = await flow.renderer.state { $0.window.top?.content.name == "visit finished" }
  }

  @Test("P14: A flow that has not been served since a restart cannot be started, because its router is not known")
  func standIn() async throws {
    let flow = flow([])
    try await flow.start()
    let stored = try StoredTree(await flow.tree.state, in: flow.tree.environment.catalogue)
    let flows = ProvidedFlows(provider: flow.provider)
    var environment = flow.tree.environment
    environment.catalogue.provided = flows
    _ = try await FlowTree.restore(stored, environment: environment)
    let other = FlowTree(root: "pets_2", environment: environment)
    await #expect(throws: CallError.refused(.unknownFlow("pets"))) {
      try await ProvidedTree.answer { other.start(flow: "pets", input: [:], reply: $0) }
    }
    flows.add(FlowDescription("pets", title: "Pets", router: .window), schemas: FlowSchemas(result: nil, output: nil))
    flows.add(FlowDescription("visit", title: "Visit"), schemas: FlowSchemas(result: nil, output: nil))
    let third = FlowTree(root: "pets_3", environment: environment)
    _ = try await ProvidedTree.answer { third.start(flow: "pets", input: [:], reply: $0) }
    #expect(await third.state.window.screens.first?.style == .root)
  }

  @Test("P11: A provider that fails over the end of a child three times is held, and its child is not")
  func held() async throws {
    let flow = flow([.failed("bug"), .failed("bug"), .failed("bug")])
    try await flow.start()
    try await endWork(flow)
    for number in 0..<2 { try await flow.waits.reaches(number + 1)[number].end() }
    try await flow.provider.count.until { $0 == 6 }
    await flow.tree.finishTurns()
    await #expect(throws: CallError.held(flow.tree.root, "bug")) { try await flow.send("go") }
    _ = try await ProvidedTree.answer { flow.tree.retryHeld(reply: $0) }
    #expect(await flow.tree.state.window.top?.content.name == "visit finished")
  }
}
