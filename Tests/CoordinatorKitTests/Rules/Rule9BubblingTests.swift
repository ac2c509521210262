import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 9: Bubbling of events", .timeLimit(.minutes(5)))
struct Rule9BubblingTests {
  @Test("Rule 9: An event that a coordinator does not handle bubbles to its parent, up to the root")
  func unhandledEventBubblesToTheRoot() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(flow.path("probe_1"), .child)
    try await flow.send("up")
    #expect(try await flow.screens.map(\.content.body) == ["", "up-from-probe_1", ""])
  }

  @Test("Rule 9: An event without a screen bubbles as well")
  func eventWithoutScreenBubbles() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.call(
      .delegate(flow.path("probe_1"), screen: nil, event: "up-and-away", payload: [:], seen: nil))
    #expect(try await flow.screens.map(\.content.body) == ["up-and-away-from-probe_1", ""])
  }

  @Test("Rule 9: An event that no coordinator handles is unknown, and its changes on the way are dropped")
  func unhandledEventIsUnknown() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    let unknown = UnknownEvent("bubble", coordinator: flow.path("probe_1"), screen: "first")
    await #expect(throws: CallError.unknownEvent(unknown)) { try await flow.send("bubble") }
    #expect(
      unknown.description
        == "the screen 'first' of flow_1/probe_1 offers the event 'bubble', but no coordinator handles it")
    #expect(try await flow.screens.map(\.content.body) == ["", ""])
  }

  @Test("Rule 9: An event that the screen does not offer is unknown")
  func unofferedEventIsUnknown() async throws {
    let flow = try await TestFlow.probe()
    let error = await #expect(throws: CallError.self) { try await flow.send("up-and-away") }
    guard case .unknownEvent(let unknown)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      unknown.description.hasPrefix(
        "the screen 'first' of flow_1 does not offer the event 'up-and-away'; it offers 'push', 'form'"), "\(unknown)")
  }
}
