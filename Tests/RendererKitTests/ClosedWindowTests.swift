import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@testable import RendererKit

@Suite("Windows that their user may only see", .timeLimit(.minutes(5)))
struct ClosedWindowTests {
  private func window(_ closed: String?) -> MirroredWindow {
    let screens = ["below", "top"].enumerated().map { index, name in
      PresentedScreen(
        id: UInt64(index + 1), coordinator: "/org/coordinatord/Coordinator1/flows/pets_1", style: .push, layer: 0, back: true,
        screen: Screen(
          name, kind: .list, title: "Which?", actions: [Action("ok", verbatim: "OK", role: .primary)],
          items: [Item("a", "A")]))
    }
    var window = MirroredWindow(revision: 1, screens: screens)
    window.closed = closed
    return window
  }

  @Test("Nothing on the top screen can be chosen, and a message says why and who may answer")
  func closedWindowOffersNothing() throws {
    let shown = window("only ada may answer").withoutClosedAnswers
    let top = try #require(shown.top)
    #expect(!top.back && !top.leaves)
    let reason = "You can see this, but not answer it."
    #expect(top.screen.actions.map(\.disabled) == [reason] && top.screen.items?.map(\.disabled) == [reason])
    #expect(top.screen.messages.map(\.text) == ["You can see this, but not answer it: only ada may answer"])
    #expect(shown.screens.first == window(nil).screens.first, "the other screens are as they were")
  }

  @Test("A window that its user may answer is shown as it is")
  func openWindowIsUnchanged() { #expect(window(nil).withoutClosedAnswers == window(nil)) }
}
