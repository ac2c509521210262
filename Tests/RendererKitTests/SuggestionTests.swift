import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("What a screen suggests, as renderers show it", .timeLimit(.minutes(1)))
struct SuggestionTests {
  private static let menu = Screen.menu(
    "size", title: "How large?",
    choices: [
      Action("small", "Small"), Action("large", "Large"), Action("huge", "Huge").disabled(because: "Sold out."),
      .destructive("none", "Throw it away"),
    ])
  private static let items = [Item("a", "A"), Item("b", "B"), Item("c", "C", disabled: "sold out"), Item("d", "D")]
  private static let list = Screen.list("list", title: "List", items: items, actions: [Action("again", "Look again")])

  @Test("The suggested action of a menu, a message or a list is chosen at first")
  func actionIsSuggested() {
    #expect(Self.menu.suggesting("large").suggestedAction?.id == "large")
    let message = Screen.message("m", title: "M", actions: [.primary("yes", "Yes"), Action("no", "No")])
    #expect(message.suggesting("no").suggestedAction?.id == "no")
    #expect(Self.list.suggesting("again").suggestedAction?.id == "again")
    #expect(Self.list.suggesting("again").preselectedItem == nil)
    #expect(Self.menu.suggestedAction == nil)
  }

  @Test("An action that is unknown, disabled or destroys something is not chosen at first", arguments: ["gone", "huge", "none"])
  func otherActionsAreNot(id: String) { #expect(Self.menu.suggesting(id).suggestedAction == nil) }

  @Test("While a screen is busy, and on a form, no action is chosen at first")
  func busyScreenSuggestsNothing() {
    #expect(Self.menu.suggesting("large").busy("Wait").suggestedAction == nil)
    let form = Screen.form(
      "f", title: "F", form: Form(Field("a", .string(title: "A"))), actions: [.primary("submit", "Send"), Action("skip", "Skip")])
    #expect(form.suggesting("skip").suggestedAction == nil)
  }

  @Test("A suggested row takes precedence over the one that the flow chooses at first, if it can be chosen")
  func rowTakesPrecedence() {
    let list = Self.list.choosing(initial: ["b"])
    #expect(list.suggesting("d").preselectedItem?.id == "d")
    #expect(list.suggesting("c").preselectedItem?.id == "b")
    #expect(list.suggesting("gone").preselectedItem?.id == "b")
    #expect(Self.list.suggesting("d").preselectedItem?.id == "d")
    #expect(Self.list.suggesting("c").preselectedItem == nil)
  }

  @Test("An item has its id before an action with the same id")
  func itemTakesPrecedence() {
    let list = Screen.list("l", title: "L", items: [Item("again", "Again")], actions: [Action("again", "Look again")])
    #expect(list.suggesting("again").preselectedItem?.id == "again")
    #expect(list.suggesting("again").suggestedAction == nil)
  }

  @Test("A screen without a suggestion begins at its default, which is never destructive")
  func defaultIsChosen() {
    #expect(Self.menu.defaulting(to: "large").suggestedAction?.id == "large")
    #expect(Self.menu.defaulting(to: "large").suggesting("small").suggestedAction?.id == "small")
    #expect(Self.menu.defaulting(to: "large").suggesting("gone").suggestedAction?.id == "large")
    for id in ["gone", "huge", "none"] {
      let menu = Self.menu.defaulting(to: id)
      #expect(menu.suggestedAction == nil && menu.offeredDefault == nil, "\(id)")
    }
    #expect(Self.list.defaulting(to: "again").suggestedAction?.id == "again")
  }

  @Test("The default of a list is a row, before the one that the flow chooses at first")
  func defaultRowIsChosen() {
    let list = Self.list.choosing(initial: ["b"]).defaulting(to: "d")
    #expect(list.preselectedItem?.id == "d" && list.itemsChosenAtFirst == ["d"] && list.offeredDefault == "d")
    #expect(list.suggesting("a").preselectedItem?.id == "a")
    #expect(Self.list.choosing(initial: ["b"]).defaulting(to: "c").preselectedItem?.id == "b")
    #expect(Self.list.defaulting(to: "c").offeredDefault == nil)
  }

  @Test("All suggested rows of a list for several are chosen at first, instead of those of the flow")
  func severalRowsAreChosen() throws {
    func chosen(_ suggested: [String]) throws -> JSONValue? {
      let screen = Self.list.choosing(0...4, initial: ["b"]).suggesting(rows: suggested)
      return try #require(SeveralChoice(screen)).payload(of: Self.items)?["ids"]
    }
    #expect(try chosen(["d", "a"]) == ["a", "d"])
    #expect(try chosen(["a", "c", "gone"]) == ["a"])
    #expect(try chosen([]) == [])
    #expect(try chosen(["gone"]) == ["b"])
    #expect(try chosen(["again"]) == ["b"])
    #expect(Self.list.choosing(0...4, initial: ["b"]).suggesting(rows: ["again"]).suggestedAction?.id == "again")
  }

  @Test("Scripts see what is suggested as far as it can be chosen")
  func offeredSuggestions() {
    #expect(Self.list.suggesting(rows: ["d", "c", "gone", "again"]).offeredSuggestions == ["d", "again"])
    #expect(Self.menu.offeredSuggestions.isEmpty)
  }
}
