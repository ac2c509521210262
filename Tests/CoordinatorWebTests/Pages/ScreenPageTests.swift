import CoordinatorClient
import CoordinatorKit
import RendererKit
import Testing
import Themes

@testable import CoordinatorWeb

@Suite("The page of a screen", .timeLimit(.minutes(5)))
struct ScreenPageTests {
  @Test("A flow cannot inject markup into a page")
  func flowCannotInjectMarkup() {
    let text = Samples.hostile
    let shown = Text(verbatim: text)
    let screens = [
      Screen.menu(
        "m", title: shown, body: shown, choices: [Action(text, shown, role: .primary)],
        messages: [.info(text, shown)]),
      .list("l", title: shown, items: [Item(text, shown, subtitle: shown)], messages: [.error(text, shown)]),
      .progress("p", title: shown, progress: Progress(fraction: 0.5, text: shown)),
      .message("x", title: shown, body: shown, accent: "#fff; } body { display: none"),
      .form(
        "f", title: shown,
        form: Form(
          Field(text, .string(title: shown, summary: shown)), Field("c", .choice(title: shown, [(text, shown)])),
          Field("s", .choice(title: shown, (1...9).map { ("\($0)\(text)", shown) }))),
        values: [.init(text): .string(text)], actions: [.primary(text, shown)], messages: [.warning("w", shown, field: text)]),
    ]
    for screen in screens {
      let draft = Draft(screen: 1, typed: [text: [text]], reasons: [text: text, "z" + text: text], problem: text)
      let page = Samples.page(screen, draft: draft)
      #expect(page.ranges(of: "<script").count == 2)
      #expect(page.ranges(of: "</title>").count == 1)
      #expect(!page.contains("<img"))
      #expect(!page.contains("alert(1)</script>"))
      #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
      #expect(!page.contains("style="))
    }
  }

  @Test("A page contains no value of a secret, wherever the value came from")
  func pageContainsNoSecret() {
    let draft = Draft(screen: 1, typed: ["password": ["open-sesame"], "username": ["berta"]])
    let page = Samples.page(Samples.logIn, draft: draft)
    #expect(!page.contains("never"))
    #expect(!page.contains("open-sesame"))
    #expect(page.contains("type=\"password\""))
    #expect(page.contains("value=\"berta\""))
    #expect(!page.contains("anna"))
    let answer = FormAnswer(
      ["field.username": "berta", "field.password": "open-sesame"], fields: Samples.logIn.form?.fields ?? [])
    #expect(answer.typed == ["username": ["berta"]])
    #expect(answer.payload["password"] == "open-sesame")
  }

  @Test("Errors come first, are tied to their fields, and are announced in the title")
  func errorsComeFirstAndNameTheirFields() throws {
    let draft = Draft(screen: 1, reasons: ["username": "must have 1 to 64 characters", "extra": "is not a known field"])
    let page = Samples.page(Samples.logIn, draft: draft)
    #expect(page.contains("<title>Error: Log in</title>"))
    #expect(page.contains("<a href=\"#field-0\" dir=\"auto\">User name must have 1 to 64 characters</a>"))
    #expect(page.contains("extra is not a known field"))
    #expect(page.contains("aria-describedby=\"field-0-error\" aria-invalid=\"true\""))
    let summary = try #require(page.range(of: "id=\"errors\""))
    let title = try #require(page.range(of: "<h1"))
    #expect(summary.lowerBound < title.lowerBound)
    #expect(page.contains("tabindex=\"-1\" autofocus"))
    #expect(!Samples.page(Samples.logIn).contains("id=\"errors\""))
  }

  @Test("Every form of a page contains the seen revision, the session's token, and a request key")
  func everyAnswerCarriesRevisionAndRequestKey() {
    let page = Samples.page(Samples.logIn)
    #expect(page.contains("name=\"seen\" value=\"7\""))
    #expect(page.contains("name=\"token\" value=\"\(Samples.token.csrf.text)\""))
    #expect(page.ranges(of: "name=\"request\"").count == 1)
    let window = Samples.window([.message("m", title: "M"), Samples.logIn])
    let above = ScreenPage(window, of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    #expect(above?.ranges(of: "name=\"request\"").count == 2)
  }

  @Test("The primary button comes first, so that Enter presses it")
  func enterPressesThePrimaryButton() throws {
    let form = try #require(Samples.page(Samples.logIn).split(separator: "id=\"answer\"").last)
    let submit = try #require(form.range(of: "value=\"submit\""))
    let cancel = try #require(form.range(of: "value=\"cancel\""))
    #expect(submit.lowerBound < cancel.lowerBound)
  }

  @Test("The page of a busy screen shows its progress, takes no input, and refreshes without a script")
  func busyPageRefreshesWithoutAScript() {
    let page = Samples.page(Samples.logIn.busy("Checking"))
    #expect(page.contains("<progress id=\"progress-bar\" max=\"1\" data-title=\"Log in\" data-pattern=\"{percent}% – Log in\">"))
    #expect(page.contains("Checking"))
    #expect(page.contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>"))
    #expect(page.ranges(of: " readonly").count == 2)
    #expect(!page.contains("value=\"submit\""))
  }

  @Test("A busy page shows what was sent, and of a secret only that there is one")
  func sentValuesAreShownWithoutSecrets() {
    var draft = Draft(screen: 1, typed: ["username": ["berta"]])
    draft.stage = .sent
    draft.filledSecrets = ["password"]
    let page = Samples.page(Samples.logIn.busy("Checking"), draft: draft)
    #expect(page.contains("value=\"berta\""))
    #expect(page.contains("placeholder=\"••••••••\""))
    draft.filledSecrets = []
    #expect(!Samples.page(Samples.logIn.busy("Checking"), draft: draft).contains("placeholder"))
    #expect(!Samples.page(Samples.logIn, draft: draft).contains("readonly"))
  }

  @Test("Without a way back the page offers to end the flow, after a question")
  func endingTheFlowIsAskedOnItsOwnPage() throws {
    for screen in [Samples.logIn, .message("m", title: "M")] {
      let page = Samples.page(screen)
      #expect(page.contains("/screens/1/end\">End this flow</a>"))
      #expect(!page.contains("id=\"back\""))
    }
    let screens = [Screen.message("one", title: "One"), .message("two", title: "Two")]
    func page(of id: UInt64, in screens: [Screen], back: Bool = true) -> String? {
      let window = Samples.window(screens, back: back)
      return EndingPage(of: id, in: window, of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    }
    let asking = try #require(page(of: 1, in: [screens[0]]))
    #expect(asking.contains("End this flow for everyone who has it open?"))
    #expect(asking.contains("method=\"post\""))
    // The harmless choice has the focus.
    #expect(asking.contains("autofocus>Keep it</a>"))
    #expect(page(of: 1, in: screens) == nil)
    #expect(page(of: 2, in: screens) == nil)
    #expect(page(of: 1, in: [screens[0]], back: false) == nil)
    // Going back from a child's first screen leads to the parent's screen. If the parent has none, the flow may end.
    var window = Samples.window(screens)
    window.screens[1].coordinator = "/org/coordinatord/Coordinator1/flows/pets_1/schedule_visit_1"
    let child = ScreenPage(window, of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    #expect(child?.contains("<button class=\"backwards\">Back</button>") == true)
    window.screens.removeFirst()
    let only = ScreenPage(window, of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    #expect(only?.contains("class=\"button backwards\"") == true, "\(only ?? "")")
    let question = EndingPage(of: 2, in: window, of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    #expect(question?.contains("Go back? This may end the flow for everyone who has it open.") == true)
    #expect(question?.contains("autofocus>Stay here</a>") == true)
  }

  @Test("The text direction of a page follows its title")
  func pageDirectionFollowsTheTitle() {
    #expect(Samples.page(.message("m", title: "بياناتك", body: "Hello")).contains("<html lang=\"en\" dir=\"rtl\">"))
    #expect(Samples.page(.message("m", title: "3 × 4", body: "שלום")).contains("dir=\"rtl\""))
    #expect(!Samples.page(.message("m", title: "水", body: "שלום")).contains("dir=\"rtl\""))
    #expect(TextDirection(of: "", "1, 2") == .leftToRight)
    #expect(Samples.page(Samples.logIn).contains("<h1 id=\"title\" tabindex=\"-1\" dir=\"auto\">"))
  }

  @Test("While the daemon is away the page says so, takes no answer, and refreshes")
  func pageRefreshesWhileTheDaemonIsAway() throws {
    var draft = Draft(screen: 1, typed: ["username": ["berta"]])
    draft.stage = .undelivered
    var page = try #require(
      ScreenPage(Samples.window([Samples.logIn]), of: "pets_1", links: Samples.links, token: Samples.token))
    page.draft = draft
    page.isAway = true
    let markup = page.html.markup
    #expect(markup.contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>"))
    #expect(markup.contains(PageNotice.undelivered.text))
    #expect(markup.contains("value=\"berta\""))
    #expect(markup.contains("class=\"primary\" disabled"))
    #expect(markup.contains("class=\"away\" role=\"status\" lang=\"en\">"))
    page.isAway = false
    #expect(!page.html.markup.contains("refresh"))
    #expect(page.html.markup.contains(PageNotice.undelivered.text))
    let other = PlainPage.daemonAway(Samples.links, awaiting: Samples.links.home).html.markup
    #expect(other.contains("content=\"2; url=\(Samples.links.home)\""))
    #expect(other.contains("data-awaited=\"\(Samples.links.home)\""))
  }

  @Test("The page of an ended flow leads to another run, to the list of flows, or nowhere")
  func endPageLeadsToTheNextFlow() {
    let home = "href=\"\(Samples.links.home)\" lang=\"en\">All flows<"
    let all = EndPage(links: Samples.links, tree: "pets_1", summary: EndSummary(.cancelled)).html.markup
    #expect(all.contains(home) && !all.contains("Start again"))
    let own = Links(Entrance(), isForOneFlow: true)
    let started = EndPage(links: own, tree: "pets_1", summary: EndSummary(.cancelled), again: .nextRun(Samples.token)).html.markup
    #expect(started.contains("/flows/pets_1/again\""))
    #expect(started.contains("Start again") && !started.contains("All flows"))
    let attached = EndPage(links: own, tree: "pets_1", summary: EndSummary(.cancelled)).html.markup
    #expect(!attached.contains("Start again") && !attached.contains(">All flows<"))
  }

  @Test("The page of an ended flow shows what was typed and not sent, unless the next person may see it")
  func endPageShowsUnsentText() {
    var page = EndPage(links: Samples.links, tree: "pets_1", summary: EndSummary(.cancelled))
    #expect(page.html.markup.contains("data-unsent=") && page.html.markup.contains("data-copy="))
    page.isForNextPerson = true
    #expect(!page.html.markup.contains("data-unsent="))
  }

  @Test("A modal layer is a dialog over the screen that it was opened from, which is inert")
  func modalLayerIsADialog() {
    let home = Screen.message("home", title: "Clinic")
    let question = Screen.menu("q", title: "What for?", choices: [Action("a", "A")])
    let page = ScreenPage(
      Samples.window([home, question], layers: [0, 1]), of: "pets_1", links: Samples.links, token: Samples.token)
    let markup = page?.html.markup ?? ""
    #expect(markup.contains("class=\"beneath\" aria-hidden=\"true\" inert"))
    #expect(markup.contains("role=\"dialog\" aria-labelledby=\"title\""))
    #expect(markup.contains("<button>Cancel</button>"))
    #expect(!markup.contains("End this flow"))
  }

  @Test("The page of an earlier screen offers the way back if there is one")
  func earlierPageOffersTheWayBack() {
    let screens = [Screen.message("one", title: "One"), .message("two", title: "Two")]
    let page = EarlierPage(of: 1, in: Samples.window(screens), of: "pets_1", links: Samples.links, token: Samples.token)
    #expect(page?.html.markup.contains("Go back to it") == true)
    let closed = EarlierPage(
      of: 1, in: Samples.window(screens, back: false), of: "pets_1", links: Samples.links, token: Samples.token)
    #expect(closed?.html.markup.contains("There is no way back") == true)
    #expect(closed?.html.markup.contains("<form") == false)
    #expect(EarlierPage(of: 2, in: Samples.window(screens), of: "pets_1", links: Samples.links, token: Samples.token) == nil)
    #expect(EarlierPage(of: 9, in: Samples.window(screens), of: "pets_1", links: Samples.links, token: Samples.token) == nil)
  }

  @Test("A long trail of steps is shown with its ends only")
  func longTrailIsShortened() {
    let screens = (1...9).map { Screen.message("s", title: Text(verbatim: "Step \($0)")) }
    let trail = TrailMarkup(links: Samples.links, tree: "pets_1", window: Samples.window(screens)).html.markup
    #expect(trail.contains("Step 1<"))
    #expect(!trail.contains("Step 2<"))
    #expect(trail.contains("Step 9"))
  }

  private static let codes = [
    "changed", "answered-elsewhere", "answered-terminal", "answered-before", "undelivered", "held-back",
  ]

  @Test("Only known notices are shown", arguments: Self.codes)
  func onlyKnownNoticesAreShown(code: String) throws {
    let notice = try #require(PageNotice(code: code))
    #expect(notice.code == code)
    #expect(Samples.page(Samples.logIn, notice: notice).contains(HTML(text: notice.text).markup))
    #expect(PageNotice(code: code + "<") == nil)
  }

  @Test(
    "An accent is shown in a tone that can be seen, with text that can be read on it, in light and dark",
    arguments: ["#F5001C", "#2E4ACC", "#ED8212", "#000000", "#FFFFFF", "#ffcc00"])
  func accentCanBeSeen(text: String) throws {
    let accent = try #require(Accent(text))
    #expect(Accent(fileName: accent.name + ".css") == accent)
    let style = WebLook().stylesheet(of: accent)
    let colors = style.matches(of: #/--(accent|on-accent|button|on-button): (#[0-9a-f]{6});/#).compactMap { RGBColor($0.2) }
    #expect(colors.count == 8)
    for (palette, colors) in [(Palette.light, colors.prefix(4)), (Palette.dark, colors.suffix(4))] {
      let colors = Array(colors)
      #expect(colors[0].contrast(with: palette.surface) >= 3)
      #expect(colors[1].contrast(with: colors[0]) >= 4.5)
      #expect(colors[2].contrast(with: palette.surface) >= 3)
      #expect(colors[3].contrast(with: colors[2]) >= 4.5)
      // A red button would look dangerous.
      #expect(!colors[2].readsAsDanger)
    }
    for text in ["", "#12345", "#1234567", "red", "#12345g", "#+12345", "123456#"] { #expect(Accent(text) == nil) }
  }
}
