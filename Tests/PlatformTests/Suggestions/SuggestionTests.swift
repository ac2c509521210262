import Testing

@testable import Platform

@Suite("Suggestions for misspelled names", .timeLimit(.minutes(5)))
struct SuggestionTests {
  let names = ["pets", "schedule-visit", "how-to-code"]

  @Test(
    "The nearest name is suggested for a misspelled one",
    arguments: [("pest", "pets"), ("shedule-visit", "schedule-visit"), ("how-to", "how-to-code"), ("PETS", "pets")])
  func nearestNameIsSuggested(text: String, name: String) {
    #expect(Suggestion.best(for: text, among: names) == name)
  }

  @Test("Nothing is suggested if no name is similar", arguments: ["", "account", "zzzz", String(repeating: "pets", count: 100)])
  func unrelatedNameHasNoSuggestion(text: String) {
    #expect(Suggestion.best(for: text, among: names) == nil)
  }

  @Test("The edit distance counts letters that were changed, added, removed, or swapped")
  func distanceCountsLetterEdits() {
    #expect(Suggestion.distance("abc", "abc") == 0)
    #expect(Suggestion.distance("abc", "axc") == 1)
    #expect(Suggestion.distance("abc", "abcd") == 1)
    #expect(Suggestion.distance("abc", "acb") == 1)
    #expect(Suggestion.distance("", "abc") == 3)
  }
}
