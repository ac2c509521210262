import Languages
import Testing

@testable import CoordinatorWeb

@Suite("The languages that a browser asks for", .timeLimit(.minutes(5)))
struct AcceptedLanguagesTests {
  private func best(_ header: String..., of offered: String..., own: String? = nil) throws -> String? {
    let offered = try (offered.isEmpty ? ["de", "en"] : offered).map { try LanguageTag($0) }
    return AcceptedLanguages(header).best(of: offered, preferring: try own.map { try LanguageTag($0) })?.description
  }

  @Test(
    "The first language by weight that is offered is chosen",
    arguments: [
      ("de", "de"), ("de-AT", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en;q=0.8, de;q=0.9", "de"),
      ("de;q=0.8\t,\ten;Q=0.80", "de"), ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "en"), ("de;q=0.001", "de"),
      ("fr, de;q=1.000", "de"), ("DE-at ; q=0.5", "de"), ("en-GB", "en"),
    ])
  func firstByWeightIsChosen(header: String, chosen: String) throws {
    #expect(try best(header) == chosen)
  }

  @Test("A Greek question mark does not begin the weight of a language, as a semicolon does")
  func greekQuestionMarkIsNoSemicolon() throws {
    #expect(try best("de\u{37E}q=1, en;q=0.5") == "en")
  }

  @Test("A range is shortened before the next one is tried, and never made longer")
  func rangeIsShortened() throws {
    #expect(try best("zh-TW, en", of: "en", "zh-Hans", "zh-Hant") == "zh-Hant")
    #expect(try best("pt, en", of: "en", "pt-BR") == "en")
    #expect(try best("de-AT, de", of: "de", "de-AT", "en") == "de-AT")
  }

  @Test("A language with the weight 0 is not chosen, unless a longer range asks for it")
  func refusedLanguageIsNotChosen() throws {
    #expect(try best("de-AT, de;q=0") == nil)
    #expect(try best("*, de;q=0") == "en")
    #expect(try best("de-AT, de;q=0", of: "de", "de-AT", "en") == "de-AT")
    #expect(try best("*, en;q=0, de;q=0") == nil)
  }

  @Test("Any language means the server's own if that is offered, otherwise English, otherwise the first")
  func anyLanguageIsTheServersOwn() throws {
    #expect(try best("*") == "en")
    #expect(try best("*", own: "de-AT") == "de")
    #expect(try best("*", own: "fr") == "en")
    #expect(try best("en;q=0, *", of: "de", "en", "fr", own: "it") == "de")
    #expect(try best("fr, *;q=0.1", own: "de") == "de")
    #expect(try best("en;q=0.1, *") == "de")
  }

  @Test("Nothing is chosen if nothing is offered, or nothing that is asked for")
  func nothingIsChosen() throws {
    #expect(try best("fr, it;q=0.5") == nil)
    #expect(AcceptedLanguages(["de"]).best(of: []) == nil)
    #expect(try best() == nil)
    #expect(AcceptedLanguages([]).isEmpty && AcceptedLanguages(["", ", ;"]).isEmpty)
    #expect(!AcceptedLanguages(["*"]).isEmpty && !AcceptedLanguages(["de;q=0"]).isEmpty)
  }

  @Test(
    "A range of another form is skipped, and the rest is used",
    arguments: [
      "fr;q=2", "fr;q=1.001", "fr;q=0.1234", "fr;q=-1", "fr;q=", "fr;q", "fr;q=0,5;x", "fr;level=1", "fr;q=1;q=1", "fr;q=١",
      "C", "POSIX", "f", "*-CH", "fr fr", "\u{0}", "fr\u{202E}", ";q=1", "-", String(repeating: "fr-", count: 10_000),
    ])
  func wrongRangeIsSkipped(wrong: String) throws {
    #expect(try best("\(wrong), de;q=0.3", of: "C", "de", "en", "fr") == "de")
  }

  @Test("Several header fields are one list")
  func severalFieldsAreOneList() throws {
    #expect(try best("en;q=0.5", "de;q=0.7") == "de")
    let headers: HTTPHeaders = ["Accept-Language": "en;q=0.5", "accept-language": "de"]
    #expect(headers.acceptedLanguages == AcceptedLanguages(["en;q=0.5,de"]))
  }
}
