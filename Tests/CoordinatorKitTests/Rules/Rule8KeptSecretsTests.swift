import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 8: Secrets that a coordinator keeps", .timeLimit(.minutes(5)))
struct Rule8KeptSecretsTests {
  private static func start(_ root: String = "safe") async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { Safe() }
    try catalogue.add { SafeOwner() }
    let flow = try await TestFlow.start(root, in: catalogue)
    try await flow.send("next", ["password": "hunter2"])
    return flow
  }

  private func opened(_ flow: TestFlow) async throws -> String {
    try await flow.state { $0.window.top?.content.name == "opened" }.window.top?.content.title ?? ""
  }

  @Test("Rule 8: A secret of one step is used by the work of a later one, as often as it is needed")
  func keptSecretIsUsedLater() async throws {
    let flow = try await Self.start()
    try await flow.send("use")
    #expect(try await opened(flow) == "hunter2")
    try await flow.send("use")
    let state = try await flow.state { $0.window.screens.count == 4 }
    #expect(state.window.top?.content.title == "hunter2")
  }

  @Test("Rule 8: A forgotten secret is gone")
  func forgottenSecretIsGone() async throws {
    let flow = try await Self.start()
    try await flow.send("forget")
    #expect(try await opened(flow) == "nothing")
  }

  @Test("Rule 8: After a restart, a coordinator learns once which secrets are gone, and not what they were")
  func restartTellsWhichAreGone() async throws {
    let flow = try await Self.start()
    let stored = try StoredTree(await flow.tree.state, in: flow.tree.environment.catalogue)
    #expect(String(describing: stored).contains("hunter2") == false)
    let restarted = try await flow.restarted()
    let state = try await restarted.state { $0.window.top?.content.name == "lost" }
    #expect(state.window.top?.content.title == "password")
    await #expect(throws: CallError.self) {
      try await restarted.call(.delegate(restarted.tree.root, screen: nil, event: "use", payload: [:], seen: nil))
    }
    let again = try await restarted.restarted()
    #expect(try await again.names == ["password", "weak", "lost"])
    try await again.send("again")
    try await again.send("next", ["password": "other"])
    try await again.send("use")
    #expect(try await opened(again) == "other")
  }

  @Test("Rule 8: A child hands a secret to its parent, with an output and with its end")
  func childHandsOver() async throws {
    let flow = try await Self.start("safe-owner")
    try await flow.send("hand")
    #expect(try await flow.top.content.title == "hunter2")
    try await flow.back()
    try await flow.send("use")
    _ = try await opened(flow)
    try await flow.send("end")
    #expect(try await flow.top.content.title == "hunter2")
    #expect(try await flow.coordinators == ["flow_1"])
  }

  @Test("Rule 8: Secrets that were typed twice can be compared")
  func secretsAreCompared() {
    #expect(Secret("hunter2").matches(Secret("hunter2")))
    #expect(Secret("hunter2").matches(Secret("hunter3")) == false)
    #expect(Secret("hunter2").matches(Secret("hunter")) == false)
    let wiped = Secret("hunter2")
    let copy = Secret(copying: wiped)
    wiped.wipe()
    #expect(wiped.matches(copy) == false)
    #expect(copy.matches(Secret("hunter2")))
  }
}
