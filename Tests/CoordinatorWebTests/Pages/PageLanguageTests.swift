import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit
import Testing

@testable import CoordinatorWeb

@Suite("The languages of pages", .timeLimit(.minutes(5)))
struct PageLanguageTests {
  private let austrian: LanguageTag

  init() throws { austrian = try LanguageTag("de-AT") }

  private func window(_ screens: Screen...) -> MirroredWindow {
    var window = Samples.window(screens)
    window.language = austrian
    return window
  }

  @Test("The page of a screen is in the language of its flow, and marks the renderer's own words as English")
  func screenIsInTheLanguageOfItsFlow() throws {
    let form = Screen.form(
      "f", title: "Anmelden", form: Form(Field("name", .string(title: "Name")).optional), actions: [.primary("go", "Weiter")]
    ).step(1, of: 2)
    var page = try #require(
      ScreenPage(window(.message("m", title: "Vorher"), form), of: "pets_1", links: Samples.links, token: Samples.token))
    page.notice = .changed
    let markup = page.html.markup
    #expect(markup.contains("<html lang=\"de-AT\" dir=\"ltr\">"))
    #expect(markup.contains("data-language=\"de-AT\""))
    #expect(markup.contains("<h1 id=\"title\" tabindex=\"-1\" dir=\"auto\""))
    for part in [
      "<p id=\"away\" class=\"away\" role=\"status\" lang=\"en\"", "<form id=\"back\" class=\"back\" lang=\"en\"",
      "<p id=\"notice\" class=\"notice\" role=\"status\" lang=\"en\">", "<p id=\"step\" class=\"step\" lang=\"en\">",
      "<span class=\"optional\" lang=\"en\"> (optional)</span>",
    ] { #expect(markup.contains(part), "\(part)") }
  }

  @Test("Where the renderer has the language, its words are in it, from right to left if that is how it is written")
  func wordsAreInTheLanguageOfTheFlow() throws {
    let arabic = try LanguageTag("ar")
    var window = Samples.window([.message("m", title: "مرحبا"), .message("n", title: "تم")])
    window.language = arabic
    let page = try #require(ScreenPage(window, of: "pets_1", links: Samples.links, token: Samples.token))
    let words = Translations.Language(arabic, catalogues: [MessageCatalogue(["Back": "رجوع"])])
    let markup = Translation.$current.withValue(words) { page.html.markup }
    #expect(markup.contains("<html lang=\"ar\" dir=\"rtl\">"))
    #expect(markup.contains(">رجوع</button>"))
    #expect(!markup.contains("lang=\"en\""))
  }

  @Test("A sentence with elements has them where its translation wants them")
  func elementsAreInserted() {
    let parts: KeyValuePairs = ["a": tag("b") { "1 {b}" }, "b": tag("i") { "2" }]
    let text = Text("{a} & {b} {c")
    #expect(HTML(text, parts).markup == "<b>1 {b}</b> &amp; <i>2</i> {c")
    let other = Translations.Language(austrian, catalogues: [MessageCatalogue(["{a} & {b} {c": "{b}, {a}"])])
    #expect(Translation.$current.withValue(other) { HTML(text, parts).markup } == "<i>2</i>, <b>1 {b}</b>")
  }

  @Test("A question is asked in the language of its flow")
  func questionIsInTheLanguageOfItsFlow() throws {
    let screen = Screen.message("disk", title: "Platte", actions: [.destructive("erase", "Löschen").confirming("Wirklich?")])
    let choice = SentChoice(event: "erase", basis: AnswerBasis(of: screen).digits(for: try #require(screen.actions.first)))
    let page = ConfirmationPage(
      of: choice, seen: 1, on: 1, in: window(screen), of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    #expect(page?.contains("<html lang=\"de-AT\"") == true)
  }

  @Test("Pages about a flow are in English, and mark the titles of its screens")
  func pagesAboutFlowsMarkTitles() {
    let (first, second) = (Screen.message("a", title: "Eins"), Screen.message("b", title: "Zwei"))
    let ending = EndingPage(of: 1, in: window(first), of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    let earlier = EarlierPage(
      of: 1, in: window(first, second), of: "pets_1", links: Samples.links, token: Samples.token)?.html.markup
    for page in [ending, earlier] {
      #expect(page?.contains("<html lang=\"en\"") == true)
      #expect(page?.contains("<bdi lang=\"de-AT\" dir=\"auto\">Eins</bdi>") == true)
    }
    let result = EndPage(links: Samples.links, tree: "pets_1", summary: EndSummary(.finished(["visit": "krank"]))).html.markup
    #expect(result.contains("<html lang=\"en\"") && result.contains("<dd class=\"answer\" lang=\"\" dir=\"auto\">krank</dd>"))
  }

  @Test("Flows are listed in the language of the browser if they are translated, otherwise in English")
  func flowsAreListedInTheLanguageOfTheBrowser() throws {
    let german = try LanguageTag("de")
    let flows = [
      FlowListing(name: "visit", title: "A visit", summary: "All.", input: nil, titles: [german: "Ein Besuch"]),
      FlowListing(name: "pets", title: "", summary: "", input: nil),
    ]
    let listings = Dictionary(uniqueKeysWithValues: flows.map { ($0.name, $0) })
    func page(_ language: LanguageTag?) -> String {
      let running = ["visit", "gone"].map {
        RunningFlow(
          ActiveFlow(coordinator: "/org/coordinatord/Coordinator1/flows/x_1", flow: $0, token: nil, startedAt: 0), of: listings,
          language: language)
      }
      let home = Home(running: running, flows: flows, language: language)
      return HomePage(links: Samples.links, token: Samples.token, home: home, now: 0).html.markup
    }
    let shown = page(austrian)
    #expect(shown.contains("<html lang=\"en\""))
    #expect(shown.ranges(of: "lang=\"de\" dir=\"auto\">Ein Besuch</span>").count == 2)
    #expect(shown.contains("lang=\"en\" dir=\"auto\">All.</span>"))
    #expect(shown.contains(">pets</span>") && shown.contains(">gone</span>"))
    #expect(page(nil).ranges(of: "lang=\"en\" dir=\"auto\">A visit</span>").count == 2)
    let input = InputPage(links: Samples.links, token: Samples.token, flow: flows[0], language: austrian).html.markup
    #expect(input.contains("<title>Ein Besuch</title>"))
    #expect(input.contains("<h1 id=\"title\" lang=\"de\" dir=\"auto\">Ein Besuch</h1>"))
  }
}
