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

  @Test("A page learns that its flow is held, and shows why until it is taken up, escaped as all text is")
  func held() {
    var view = TreeView(state: .shown(window))
    #expect(view.event.data["held"] == false)
    let held = MirroredWindow(revision: 7, screens: [], held: Samples.hostile)
    view.apply(.window(held))
    #expect(view.event.data["held"] == true)
    let page = HeldPage(links: Samples.links, tree: "pets_1", revision: 7, sentence: held.heldSentence ?? "").html.markup
    #expect(page.contains("This flow is held: "))
    #expect(page.contains("data-revision=\"7\""))
    #expect(!page.contains("<script>alert"))
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
