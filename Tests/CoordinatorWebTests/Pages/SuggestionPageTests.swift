import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Suggestions on a page", .timeLimit(.minutes(5)))
struct SuggestionPageTests {
  private static let menu = Screen.menu(
    "size", title: "How large?",
    choices: [Action("small", "Small"), Action("large", "Large").explained("For two"), .destructive("none", "None")])
  private static let list = Screen.list(
    "tools", title: "Tools", items: [Item("vim", "vim"), Item("ed", "ed"), Item("gcc", "gcc")], actions: [Action("skip", "Skip")])

  private static func button(_ value: String, of page: String) -> String {
    page.split(separator: "<button ").first { $0.contains("value=\"\(value)\"") }
      .flatMap { $0.split(separator: "</button>").first.map(String.init) } ?? ""
  }

  private static func count(_ text: String, _ page: String) -> Int { page.ranges(of: text).count }

  @Test("The suggested choice of a menu is marked in words, and the page begins there")
  func suggestedChoiceIsMarked() {
    let page = Samples.page(Self.menu.suggesting("large"))
    let button = Self.button("large", of: page)
    #expect(button.contains("class=\"choice-button chosen\"") && button.contains(" autofocus>"))
    #expect(button.contains("aria-describedby=\"action-1-note\""), "what explains it stays its description")
    #expect(button.contains("<span class=\"mark\" lang=\"en\""), "\(button)")
    #expect(Self.count("Preselected", page) == 1 && Self.count("autofocus", page) == 1)
  }

  @Test("The suggested button of a message or a list is marked, and the page begins there instead of at a row")
  func suggestedButtonIsMarked() {
    let message = Screen.message("m", title: "M", actions: [.primary("yes", "Yes"), Action("no", "No")]).suggesting("no")
    #expect(Self.button("no", of: Samples.page(message)).contains(" autofocus>"))
    let page = Samples.page(Self.list.choosing(initial: ["ed"]).suggesting("skip"))
    #expect(Self.button("skip", of: page).contains(" autofocus>"))
    #expect(Self.count("autofocus", page) == 1)
  }

  @Test("Suggested rows are marked or checked, and the page begins at the first")
  func suggestedRowsAreMarked() {
    let page = Samples.page(Self.list.suggesting("gcc"))
    #expect(Self.button("gcc", of: page).contains(" autofocus>"))
    #expect(Self.count("Preselected", page) == 1)
    let several = Samples.page(Self.list.choosing(0...3, initial: ["vim"]).suggesting(rows: ["ed", "gcc"]))
    #expect(several.contains("value=\"ed\" checked autofocus>") && several.contains("value=\"gcc\" checked>"))
    #expect(Self.count(" checked", several) == 2 && Self.count("autofocus", several) == 1)
  }

  @Test("What is not offered, or destroys something, is not marked", arguments: ["gone", "none"])
  func otherSuggestionsAreNotMarked(id: String) {
    let page = Samples.page(Self.menu.suggesting(id))
    #expect(!page.contains("Preselected") && !page.contains("autofocus"))
  }
}
