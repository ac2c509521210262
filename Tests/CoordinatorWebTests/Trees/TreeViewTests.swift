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

  @Test("A page learns that its flow is held, and shows a sentence without the reason")
  func heldFlowShowsItsEscapedReason() {
    var view = TreeView(state: .shown(window))
    #expect(view.event.data["held"] == false)
    let held = MirroredWindow(revision: 7, screens: [], held: Samples.hostile)
    view.apply(.window(held))
    #expect(view.event.data["held"] == true)
    let page = HeldPage(links: Samples.links, tree: "pets_1", revision: 7, sentence: held.heldSentence ?? "").html.markup
    #expect(page.contains("This step cannot continue at the moment. What was entered so far is kept."))
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

  @Test("A page learns that its screen looks different, although the revision is the same; drafts and progress do not count")
  func fingerprint() {
    var screen = Screen.list("networks", title: "Networks", items: [])
    func shown(_ screen: Screen, draft: [String: JSONValue] = [:]) -> JSONValue? {
      let presented = PresentedScreen(
        id: 1, coordinator: "/org/coordinatord/Coordinator1/flows/a", style: .root, layer: 0, back: false, draft: draft,
        screen: screen)
      return TreeView(state: .shown(MirroredWindow(revision: 3, screens: [presented]))).event.data["shown"]
    }
    let before = shown(screen)
    #expect(shown(screen, draft: ["name": "ada"]) == before)
    screen.progress = Progress(fraction: 0.1)
    let busy = shown(screen)
    #expect(busy != before)
    screen.progress = Progress(fraction: 0.2)
    #expect(shown(screen) == busy)
    screen.progress = nil
    screen.items = [Item("home", verbatim: "Home")]
    #expect(shown(screen) != before)
  }

  @Test("An answer that the daemon does not report is attributed to the browser, and the next window to no client")
  func unnamedAnswerIsABrowsers() {
    var view = TreeView(state: .shown(window))
    view.expectAnswerOfBrowser()
    view.apply(.window(window))
    #expect(view.answered == .answeredElsewhere(kind: .web))
    view.apply(.window(window))
    #expect(view.answered == nil)
  }
}
