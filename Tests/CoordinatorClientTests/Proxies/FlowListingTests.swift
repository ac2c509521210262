import CoordinatorClient
import Languages
import Testing

@Suite("The texts of a flow that can be started", .timeLimit(.minutes(5)))
struct FlowListingTests {
  @Test("A title is shown in the user's language, in its nearest fallback, or in English, and says which")
  func titleIsShownInTheNearestLanguage() throws {
    let (german, french) = (try LanguageTag("de"), try LanguageTag("fr"))
    let austrian = try LanguageTag("de-AT")
    let flow = FlowListing(
      name: "pets", title: "Pets", summary: "All pets.", input: nil, titles: [german: "Tiere"],
      summaries: [german: "Alle Tiere.", austrian: "Alle Viecherl."])
    #expect(flow.title(in: austrian).text == "Tiere")
    #expect(flow.title(in: austrian).language == german)
    #expect(flow.summary(in: austrian).text == "Alle Viecherl.")
    #expect(flow.summary(in: german).text == "Alle Tiere.")
    for language in [french, .english, nil] {
      #expect(flow.title(in: language).text == "Pets")
      #expect(flow.title(in: language).language == .english)
    }
  }

  @Test("A catalogue that changes the English originals is used for English, with or without a language")
  func englishCanBeChanged() {
    let flow = FlowListing(name: "pets", title: "Pets", summary: "", input: nil, titles: [.english: "Animals"])
    #expect(flow.title(in: nil).text == "Animals")
    #expect(flow.title(in: .english).text == "Animals")
  }
}
