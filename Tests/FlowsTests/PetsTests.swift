import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("The flow pets", .timeLimit(.minutes(5)))
struct PetsTests {
  @Test("The home of pets is the root of the window and has no way back")
  func homeIsTheRootWithoutAWayBack() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    let home = try await flow.top
    #expect(home.content.name == "home")
    #expect(home.style == .root)
    #expect(!home.back)
    await #expect(throws: CallError.self) { try await flow.back() }
  }

  @Test("A visit is scheduled in a modal layer over home, which reports it, and then another one")
  func visitsAreScheduledModally() async throws {
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

  @Test("A cancelled visit is reported as cancelled")
  func cancelledVisitIsReported() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    try await flow.send("schedule-visit")
    try await flow.send("sick")
    try await flow.back()
    try await flow.back()
    #expect(try await flow.top.messages.map(\.code) == ["visit-cancelled"])
  }

  @Test("A child that is not a visit is not reported as one")
  func childThatIsNoVisitIsNotReported() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    try await flow.call(.startChild(flow.tree.root, flow: "how-to-code", input: [:], router: .modal))
    try await flow.back()
    #expect(try await flow.names == ["home"])
    #expect(try await flow.top.messages.isEmpty)
  }

  @Test("An event for home while the modal layer covers it is stale")
  func eventForTheCoveredHomeIsStale() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    let home = try await flow.top.id
    try await flow.send("schedule-visit")
    await #expect(throws: CallError.staleScreen(home, .covered)) {
      try await flow.call(
        .delegate(flow.tree.root, screen: home, event: "schedule-visit", payload: [:], seen: nil))
    }
  }

  @Test("Dismiss ends pets together with the visit over it")
  func dismissEndsPetsWithItsVisit() async throws {
    let flow = try await TestFlow.start("pets", in: .builtIn())
    try await flow.send("schedule-visit")
    try await flow.cancel()
    #expect(try await flow.outcome == .cancelled)
  }
}
