import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Lists on a page", .timeLimit(.minutes(5)))
struct ListPageTests {
  private static let items = [
    Item("vim", "vim", group: "Editors"), Item("ed", "ed", group: "Editors"),
    Item("cc", "cc", subtitle: "C", group: "Compilers", disabled: "It is part of gcc."), Item("a b", "Other"),
  ]

  private static func page(_ count: ClosedRange<Int>? = nil, _ initial: [String] = [], draft: Draft? = nil) -> String {
    Samples.page(Screen.list("l", title: "L", items: items).choosing(count, initial: initial), draft: draft)
  }

  private static func row(_ id: String, of page: String) -> String {
    page.split(separator: "<li id=\"item-\(id)\">").last?.split(separator: "</li>").first.map(String.init) ?? ""
  }

  @Test("Rows of one group are a list below its heading")
  func groupsHaveHeadings() {
    let page = Self.page()
    #expect(page.contains("<h2 id=\"group-0\" class=\"group\" dir=\"auto\">Editors</h2>"))
    #expect(page.contains("<ul class=\"choices\" aria-labelledby=\"group-1\">"))
    #expect(page.ranges(of: "<h2 id=\"group-").count == 2 && page.ranges(of: "<ul class=\"choices\"").count == 3)
    #expect(page.contains("<li id=\"item-a%20b\">"))
  }

  @Test("A preselected row is marked in words, and the page begins there")
  func preselectedRowIsMarked() {
    let page = Self.page(nil, ["ed"])
    #expect(Self.row("ed", of: page).contains(" autofocus>"))
    #expect(Self.row("ed", of: page).contains("Preselected"))
    #expect(page.ranges(of: "Preselected").count == 1 && page.ranges(of: "autofocus").count == 1)
  }

  @Test("A disabled row is shown with its reason and cannot be chosen, even if it is preselected")
  func disabledRowHasItsReason() {
    let row = Self.row("cc", of: Self.page())
    #expect(row.contains("type=\"button\" aria-disabled=\"true\" aria-describedby=\"item-cc-reason\""))
    #expect(row.contains("Not available: It is part of gcc."))
    #expect(!row.contains("value="))
    let box = Self.row("cc", of: Self.page(0...2, ["cc"]))
    #expect(box.contains(" disabled aria-describedby=\"item-cc-reason\""))
    #expect(!box.contains("checked"))
  }

  @Test("Several rows are chosen with boxes, the page says how many, and one button sends them")
  func severalRowsAreBoxes() {
    let page = Self.page(1...2, ["ed"])
    #expect(page.contains("aria-describedby=\"choosing\""))
    #expect(page.contains("Choose 1 to 2."))
    #expect(Self.row("ed", of: page).contains("type=\"checkbox\"") && Self.row("ed", of: page).contains("value=\"ed\" checked"))
    #expect(!Self.row("vim", of: page).contains("checked"))
    #expect(page.contains("name=\"items."))
    #expect(!page.contains("name=\"item."))
    for (count, words) in [
      (2...2, "Choose exactly 2."), (0...2, "Choose up to 2, or none."), (0...9, "Choose any number, or none."),
      (2...9, "Choose at least 2."),
    ] {
      #expect(Self.page(count).contains(words))
    }
    let nothing = Samples.page(Screen.list("l", title: "L", items: []).choosing(0...3))
    #expect(nothing.contains("There is nothing to choose from.") && nothing.contains("name=\"items."))
  }

  @Test("A choice that the daemon refused keeps its boxes, with the error in place and in the summary")
  func refusedChoiceKeepsItsBoxes() {
    var draft = Draft(screen: 1, reasons: ["ids": "must have 1 to 2 entries"])
    draft.checked = CheckedRows(["vim", "a b"], on: .list("l", title: "L", items: Self.items))
    let page = Self.page(1...2, ["ed"], draft: draft)
    #expect(page.contains("<a href=\"#items\" dir=\"auto\">Your choice must have 1 to 2 entries</a>"))
    #expect(page.contains("aria-describedby=\"choosing items-error\""))
    #expect(page.contains("class=\"items wrong\""))
    #expect(Self.row("vim", of: page).contains("checked") && Self.row("a%20b", of: page).contains("checked"))
    #expect(!Self.row("ed", of: page).contains("checked"))
    draft.checked = CheckedRows()
    #expect(!Self.page(1...2, ["ed"], draft: draft).contains(" checked"))
  }

  @Test("Rule 6: Checked rows are sent together, and count only if none of them has changed")
  func checkedRowsAreSentTogether() throws {
    let screen = Screen.list("l", title: "L", items: Self.items, actions: [Action("skip", "Skip")]).choosing(1...2)
    let basis = AnswerBasis(of: screen)
    let choosing = try #require(screen.choosing)
    func box(_ index: Int) -> String { SentChoice.boxName(of: Self.items[index], on: basis) }
    let body: FormBody = [box(0): "vim", box(1): "ed", SentChoice.name(of: choosing, on: basis): "choose"]
    let choice = SentChoice(body)
    let event = choice.event(of: screen, FormAnswer(body, fields: []))
    #expect(event.name == Event.select && event.payload == ["ids": ["vim", "ed"]])
    #expect(choice.holds(on: screen))
    var other = screen
    other.items?.removeLast()
    other.items?.insert(Item("new", "New"), at: 0)
    other.title = "Five packages"
    #expect(choice.holds(on: other))
    other.items?[1].title = "neovim"
    #expect(!choice.holds(on: other))
    #expect(!choice.holds(on: screen.choosing(0...1)))
    // Another button sends none of the rows.
    let skip = SentChoice([box(0): "vim", SentChoice.name(of: screen.actions[0], on: basis): "skip"])
    #expect(skip.event(of: screen, FormAnswer(body, fields: [])).payload.isEmpty)
    #expect(skip.button == .event("skip") && skip.checked.ids == ["vim"])
  }
}
