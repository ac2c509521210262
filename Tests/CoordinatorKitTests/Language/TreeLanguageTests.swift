import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("The language of a flow tree", .timeLimit(.minutes(5)))
struct TreeLanguageTests {

  private func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Installer() }
    catalogue.translations = try .german()
    return catalogue
  }

  private func started(_ language: LanguageTag? = nil) async throws -> TestFlow {
    try await TestFlow.start("installer", in: try catalogue(), language: language)
  }

  @Test("Without a language, a tree is shown in English")
  func treeIsShownInEnglish() async throws {
    let flow = try await started()
    #expect(try await flow.top.content.title == "Language")
    #expect(try await flow.state.language == nil)
    #expect(try await flow.top.content.items?.map(\.id) == ["de", "en"])
  }

  @Test("A tree that is started with a language is shown in it from the first screen on")
  func treeIsStartedWithLanguage() async throws {
    let flow = try await started(try LanguageTag("de-AT"))
    #expect(try await flow.top.content.title == "Sprache")
    #expect(try await flow.state.language?.bcp47 == "de-AT")
  }

  @Test("A flow that chooses a language has all its screens computed again, those below and those of other coordinators, too")
  func allScreensAreComputedAgain() async throws {
    let flow = try await started()
    try await flow.select("en")
    try await flow.send("deep")
    try await flow.select("de")
    #expect(try await flow.screens.map(\.content.title) == ["Sprache", "Wer sind Sie?", "Sprache", "Wer sind Sie?"])
  }

  @Test("A form that is a constant is translated, its choices and its own messages, too")
  func constantFormIsTranslated() async throws {
    // Makes the constant in German first, which must not show anywhere else.
    let german = try await started(try LanguageTag("de"))
    try await german.select("de")
    let english = try await started()
    try await english.select("en")
    let form = try #require(try await german.top.content.form)
    #expect(form.fields.map(\.schema.title) == ["Ihr Name", "Disk"])
    #expect(form.fields[0].schema.summary == "Wie in Briefen.")
    #expect(form.fields[0].schema.message == "Bitte einen Namen.")
    guard case .choice(let choices) = form.fields[1].schema.rule else { throw TestFlow.Misuse.nothingShown }
    #expect(choices.map(\.title) == ["Erste Platte", "Second disk"])
    #expect(try await english.top.content.form?.fields.first?.schema.title == "Your name")
  }

  @Test("An error about a field uses the author's words in the language of the tree")
  func errorUsesTranslatedWords() async throws {
    let flow = try await started(try LanguageTag("de"))
    try await flow.select("de")
    await #expect(throws: CallError.invalidPayload(["name": "Bitte einen Namen."])) {
      try await flow.send("next", ["name": ""])
    }
  }

  @Test("A refusal is in the language of the tree, because its text becomes a string in the handler")
  func refusalIsTranslated() async throws {
    let flow = try await summary()
    await #expect(throws: CallError.refused(.denied("Es gibt keine Platte."))) { try await flow.send("erase") }
  }

  private func summary() async throws -> TestFlow {
    let flow = try await started(try LanguageTag("de"))
    try await flow.select("de")
    try await flow.send("next", ["name": "Ada", "disk": "first"])
    return flow
  }

  @Test("Plurals, questions and reviews are translated")
  func pluralsQuestionsAndReviewsAreTranslated() async throws {
    let content = try await summary().top.content
    #expect(content.actions.first?.confirmation == "Alles löschen?")
    #expect(content.review.map(\.title) == ["Ihr Name", "Disk"])
    #expect(content.review.map(\.value) == ["Ada", "Erste Platte"])
  }

  @Test("A review shows answers in the new language, though their screens are computed after it")
  func reviewShowsNewLanguage() async throws {
    let flow = try await started()
    try await flow.select("en")
    try await flow.send("next", ["name": "Ada", "disk": "first"])
    #expect(try await flow.top.content.review.map(\.value) == ["Ada", "First disk"])
    try await flow.send("german")
    #expect(try await flow.top.content.review.map(\.title) == ["Ihr Name", "Disk"])
    #expect(try await flow.top.content.review.map(\.value) == ["Ada", "Erste Platte"])
  }

  @Test("A text that is kept in the state changes its language, with its values")
  func keptTextChangesLanguage() async throws {
    let flow = try await started()
    try await flow.select("en")
    try await flow.send("next", ["name": "Ada"])
    try await flow.send("note")
    #expect(try await flow.top.content.messages.map(\.text) == ["Welcome, Ada."])
    try await flow.send("german")
    #expect(try await flow.top.content.messages.map(\.text) == ["Willkommen, Ada."])
  }

  @Test("Values in a markup text are shown as they are, whatever marks they contain")
  func valuesInMarkupAreNoMarkup() async throws {
    let blocks = try #require(try await summary().top.content.markup?.blocks)
    #expect(blocks.count == 1)
    #expect(blocks[0].spans.map(\.text) == ["Hallo ", "*ada* **x**", "."])
    #expect(blocks[0].spans.map(\.style) == [nil, .strong, nil])
  }

  @Test("The language survives a restart, and is changed by a newer translation")
  func languageSurvivesRestart() async throws {
    let flow = try await started()
    try await flow.select("de")
    let again = try await flow.restarted()
    #expect(try await again.screens.map(\.content.title) == ["Sprache", "Wer sind Sie?"])
    #expect(try await again.state.language?.bcp47 == "de")
    var newer = try catalogue()
    newer.translations = Translations([try LanguageTag("de"): [MessageCatalogue(["Language": "Die Sprache"])]])
    let renewed = try await again.restarted(in: newer)
    #expect(try await renewed.screens.map(\.content.title) == ["Die Sprache", "Who are you?"])
  }

  @Test("A language without translations is kept, and everything stays English")
  func languageWithoutTranslationsIsKept() async throws {
    let flow = try await started(try LanguageTag("fr"))
    #expect(try await flow.state.language?.bcp47 == "fr")
    #expect(try await flow.top.content.title == "Language")
  }

  @Test("Screens that change the language while they are computed do not keep the transition from ending")
  func screensThatChangeLanguageEnd() async throws {
    let flow = try await TestFlow.start { Restless() }
    try await flow.send("go")
    #expect(try await flow.names == ["restless"])
  }

  /// Changes the language wherever it can, which a screen must not do.
  private actor Restless: Coordinator {
    static let flow = FlowDescription("restless", title: "Restless")
    enum Route: Codable { case only }
    let context = Context()

    func start() { router.present(.only) }
    func receive(_ event: Event, on route: Route) throws { setLanguage(try LanguageTag("fr")) }

    func screen(for route: Route) -> Screen {
      if let other = try? LanguageTag(language?.language == "de" ? "fr" : "de") { setLanguage(other) }
      return .message("restless", title: "Restless", actions: [Action("go", "Go")])
    }
  }

  @Test("A refused event leaves the language as it was")
  func refusedEventLeavesLanguage() async throws {
    let flow = try await started()
    await #expect(throws: CallError.self) { try await flow.select("not a language") }
    #expect(try await flow.state.language == nil)
    #expect(try await flow.names == ["language"])
  }
}
