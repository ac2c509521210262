import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@testable import RendererKit

@Suite("What is at stake when a user leaves", .timeLimit(.minutes(1)))
struct LeavingStakesTests {
  private func window(_ revision: UInt64, draft: [String: JSONValue] = [:]) -> MirroredWindow {
    let screen = Screen("menu", kind: .menu, title: "Menu", actions: [Action("go", "Go")])
    return MirroredWindow(
      revision: revision,
      screens: [
        PresentedScreen(
          id: 1, coordinator: "/org/coordinatord/Coordinator1/flows/a", style: .push, layer: 0, back: true, draft: draft,
          screen: screen)
      ])
  }

  @Test("A flow that has just started and is shown nowhere else is left without a question")
  func freshFlowIsLeftWithoutAQuestion() {
    #expect(LeavingStakes(in: window(1), others: 0).decision == .goBack)
  }

  @Test("Whether the flow is shown elsewhere has to be known only if nothing else demands a question")
  func othersAreCountedOnlyIfNecessary() {
    #expect(LeavingStakes(in: window(1)).decision == .countOthers)
    #expect(LeavingStakes(in: window(1), others: 1).decision == .ask)
    #expect(LeavingStakes(in: window(2)).decision == .ask)
  }

  @Test("What was typed here or elsewhere, and what was answered before, demand a question")
  func typedAndAnsweredDemandAQuestion() {
    #expect(LeavingStakes(in: window(1), isTyped: true, others: 0).decision == .ask)
    #expect(LeavingStakes(in: window(1, draft: ["name": "Ada"]), others: 0).decision == .ask)
    #expect(LeavingStakes(in: window(7), others: 0).decision == .ask)
  }
}
