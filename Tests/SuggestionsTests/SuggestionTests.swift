import Testing

@testable import Suggestions

@Suite("What somebody may have meant")
struct SuggestionTests {
  let names = ["pets", "schedule-visit", "how-to-code"]

  @Test(
    "is the name that is nearest",
    arguments: [("pest", "pets"), ("shedule-visit", "schedule-visit"), ("how-to", "how-to-code"), ("PETS", "pets")])
  func nearest(text: String, name: String) {
    #expect(Suggestion.best(for: text, among: names) == name)
  }

  @Test("is nothing if no name is like it", arguments: ["", "account", "zzzz", String(repeating: "pets", count: 100)])
  func nothing(text: String) {
    #expect(Suggestion.best(for: text, among: names) == nil)
  }

  @Test("counts letters that are changed, added, removed or swapped")
  func distance() {
    #expect(Suggestion.distance("abc", "abc") == 0)
    #expect(Suggestion.distance("abc", "axc") == 1)
    #expect(Suggestion.distance("abc", "abcd") == 1)
    #expect(Suggestion.distance("abc", "acb") == 1)
    #expect(Suggestion.distance("", "abc") == 3)
  }
}
