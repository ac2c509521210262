import CoordinatorClient
import CoordinatorKit
import Languages
import Testing

@testable import CoordinatorTerminal

@Suite("The language of the full screen", .timeLimit(.minutes(1)))
struct LanguageTests {
  private func german() throws -> Translations.Language {
    let words = [
      "Nothing matches.": "Nichts passt.", "Keys": "Tasten", "This screen has changed in the meantime.": "Geändert.",
      "End this flow for everyone who has it open?": "Für alle beenden?", "End it": "Beenden", "Stay": "Bleiben",
    ]
    return Translations.Language(try LanguageTag("de"), catalogues: [MessageCatalogue(words)])
  }

  @Test("Help, questions and notices are in the language that is set around input and drawing")
  func wordsAreInTheLanguage() throws {
    Translation.$current.withValue(try german()) {
      var display = Display.showing(Samples.menu)
      _ = display.handle(.key(.help))
      #expect(display.text().contains("Tasten"))
      _ = display.handle(.key(.escape))
      _ = display.handle(.notice(DisplayNotice(.info, Text("This screen has changed in the meantime."))))
      #expect(display.text().contains("Geändert."))
    }
  }

  @Test("The language of a window is that of the display, also when it changes")
  func languageFollowsTheWindow() throws {
    var display = Display.showing(Samples.menu)
    #expect(display.language == .english)
    let german = try LanguageTag("de")
    _ = display.handle(.event(.language(german)))
    #expect(display.language == german)
  }
}
