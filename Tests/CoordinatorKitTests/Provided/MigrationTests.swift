import TestBus
import Testing

@testable import CoordinatorKit
@testable import CoordinatorTestKit

@Suite("P15: A newer version of a provider takes over what an older one has stored", .timeLimit(.minutes(1)))
struct ProviderMigrationTests {
  private func flow() -> ProvidedTree {
    ProvidedTree { question in
      switch question.event {
      case .start: .first
      case .migrate(let version): .shows("migrated", state: "\(question.state)+\(version)")
      case .event: .shows("second", state: question.state)
      default: .notTaken
      }
    }
  }

  private func serve(_ flow: ProvidedTree, version: UInt32) {
    flow.provider.server = ServingProgram(name: "com.example.Pets", version: version)
    flow.flows.add(FlowDescription("pets", title: "Pets"), schemas: FlowSchemas(result: nil, output: nil))
  }

  @Test("P15: The coordinator is migrated once, before its next event, in a separate transition")
  func migrates() async throws {
    let flow = flow()
    try await flow.start()
    serve(flow, version: 3)
    try await flow.send("go")
    try await flow.send("go")
    #expect(flow.provider.questions.map(\.state) == ["", "", "+1", "+1"])
    #expect(flow.provider.questions[1].event == .migrate(from: 1))
  }

  @Test("P15: A provider older than the record holds it, and nothing is lost; a newer one continues it")
  func downgrade() async throws {
    let flow = flow()
    serve(flow, version: 2)
    try await flow.start()
    serve(flow, version: 1)
    let reason = "the flow pets waits for version 2 or newer, and is served in version 1"
    await #expect(throws: CallError.held(flow.tree.root, reason)) { try await flow.send("go") }
    serve(flow, version: 2)
    _ = try await ProvidedTree.answer { flow.tree.retryHeld(reply: $0) }
    try await flow.send("go")
    #expect(flow.provider.questions.count == 2)
  }

  @Test("P15: A migration that fails holds the coordinator")
  func fails() async throws {
    let flow = ProvidedTree { question in
      switch question.event {
      case .start: .first
      case .migrate: .trouble(.failed("cannot read it"))
      default: .shows("second")
      }
    }
    try await flow.start()
    serve(flow, version: 2)
    await #expect(throws: CallError.provider(.failed("cannot read it"))) { try await flow.send("go") }
    #expect(await flow.tree.state.hold(of: flow.tree.root) == "cannot read it")
    for number in 0..<2 { try await flow.waits.reaches(number + 1)[number].end() }
    _ = try await flow.provider.count.until { $0 == 4 }
    await flow.tree.finishTurns()
    await #expect(throws: CallError.held(flow.tree.root, "cannot read it")) { try await flow.send("go") }
    serve(flow, version: 1)
    _ = try await ProvidedTree.answer { flow.tree.retryHeld(reply: $0) }
    try await flow.send("go")
  }
}
