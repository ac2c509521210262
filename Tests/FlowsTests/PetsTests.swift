import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("pets")
struct PetsTests {
  @Test("home is the root of the window, and cannot be left by Back")
  func home() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    let home = try await flow.top
    #expect(home.content.name == "home")
    #expect(home.style == .root)
    #expect(!home.back)
    await #expect(throws: CallError.self) { try await flow.back() }
  }

  @Test("a visit is scheduled modally over home, which is told; and then another one")
  func schedules() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    for _ in 1...2 {
      try await flow.send("schedule-visit")
      #expect(try await flow.top.style == .modal)
      #expect(try await flow.top.layer == 1)
      #expect(try await flow.screens[0].messages.isEmpty)
      for event in ["well", "okay"] { try await flow.send(event) }
      #expect(try await flow.names == ["home"])
      #expect(try await flow.top.messages.map(\.code) == ["visit-scheduled"])
      #expect(try await flow.top.messages.map(\.level) == [.info])
    }
    #expect(try await flow.coordinators == ["flow_1"])
  }

  @Test("a visit that is cancelled is told as cancelled")
  func cancels() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    try await flow.send("schedule-visit")
    try await flow.send("sick")
    try await flow.back()
    try await flow.back()
    #expect(try await flow.top.messages.map(\.code) == ["visit-cancelled"])
  }

  @Test("a child that is no visit says nothing of one")
  func otherChild() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    try await flow.call(.startChild(flow.tree.root, flow: "how-to-code", input: [:], router: .modal))
    try await flow.back()
    #expect(try await flow.names == ["home"])
    #expect(try await flow.top.messages.isEmpty)
  }

  @Test("an event for home while the modal covers it is stale")
  func coveredHome() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    let home = try await flow.top.id
    try await flow.send("schedule-visit")
    await #expect(throws: CallError.staleScreen(home, .covered)) {
      try await flow.call(
        .delegate(flow.tree.root, screen: home, event: "schedule-visit", payload: [:], seen: nil))
    }
  }

  @Test("it ends by Dismiss, with what is over it")
  func dismiss() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    try await flow.send("schedule-visit")
    try await flow.dismiss()
    #expect(try await flow.outcome == .cancelled)
  }
}
