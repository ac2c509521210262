import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorWeb

struct TreeViewTests {
  private let window = Samples.window([Samples.logIn])

  @Test("Who has answered is said as the daemon said it, though a browser was answering at that moment")
  func answeredByAnother() {
    var view = TreeView(state: .shown(window))
    view.apply(.answered(Answer(screen: 1, event: "sick", kind: "terminal", client: "tui")))
    view.expectAnswerOfBrowser()
    view.apply(.window(window))
    #expect(view.answered == .answeredElsewhere(kind: .terminal))
  }

  @Test("An answer of which the daemon does not tell is a browser's; the window after it is nobody's")
  func answeredByBrowser() {
    var view = TreeView(state: .shown(window))
    view.expectAnswerOfBrowser()
    view.apply(.window(window))
    #expect(view.answered == .answeredElsewhere(kind: .web))
    view.apply(.window(window))
    #expect(view.answered == nil)
  }
}
