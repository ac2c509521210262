import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import Testing

@testable import RendererKit
@testable import CoordinatorWeb

@Suite("A tree as browsers see it", .timeLimit(.minutes(5)))
struct TreeViewTests {
  private let window = Samples.window([Samples.logIn])

  @Test("The window after an answer names the client that the daemon named, even if a browser was answering")
  func answerNamesTheClientTheDaemonNames() {
    var view = TreeView(state: .shown(window))
    view.apply(.answered(Answer(screen: 1, event: "sick", kind: "terminal", client: "tui")))
    view.expectAnswerOfBrowser()
    view.apply(.window(window))
    #expect(view.answered == .answeredElsewhere(kind: .terminal))
  }

  @Test("A page learns that its flow is held, and shows the escaped reason")
  func heldFlowShowsItsEscapedReason() {
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

  @Test("A page learns that the language of its flow has changed, without another window")
  func pageLearnsTheLanguage() throws {
    var view = TreeView(state: .shown(window))
    #expect(view.event.data["language"] == "en")
    view.apply(.language(try LanguageTag("de-AT")))
    #expect(view.event.data["language"] == "de-AT")
    #expect(view.window?.screens == window.screens)
    view.apply(.ended(.lost))
    view.apply(.language(.english))
    #expect(view.state == .ended(.lost))
  }

  @Test("An answer that the daemon does not report is attributed to the browser, and the next window to nobody")
  func unnamedAnswerIsABrowsers() {
    var view = TreeView(state: .shown(window))
    view.expectAnswerOfBrowser()
    view.apply(.window(window))
    #expect(view.answered == .answeredElsewhere(kind: .web))
    view.apply(.window(window))
    #expect(view.answered == nil)
  }
}
