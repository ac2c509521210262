import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("Choosing from a list", .timeLimit(.minutes(1)))
struct SeveralChoiceTests {
  private static let items = [Item("a", "A"), Item("b", "B"), Item("c", "C", disabled: "sold out"), Item("d", "D")]

  private static func list(_ count: ClosedRange<Int>?, _ initial: [String] = [], _ items: [Item] = items) -> Screen {
    Screen.list("list", title: "List", items: items).choosing(count, initial: initial)
  }

  @Test("The payload names the chosen items in the order of the list")
  func payloadIsInTheOrderOfTheList() throws {
    var choice = try #require(SeveralChoice(Self.list(1...3)))
    choice.toggle(Self.items[3])
    choice.toggle(Self.items[0])
    #expect(choice.payload(of: Self.items) == ["ids": ["a", "d"]])
    choice.toggle(Self.items[3])
    #expect(choice.payload(of: Self.items) == ["ids": ["a"]])
  }

  @Test("Too few and too many items are not sent, and the reason says how many there must be")
  func wrongNumberIsNotSent() throws {
    var choice = try #require(SeveralChoice(Self.list(2...2, ["a"])))
    #expect(choice.payload(of: Self.items) == nil)
    #expect(choice.reason == "Choose 2: 1 chosen.")
    choice.replace(with: [Self.items[0], Self.items[1], Self.items[3]])
    #expect(choice.reason == "Choose 2: 3 chosen.")
    choice.toggle(Self.items[0])
    #expect(choice.reason == nil)
  }

  @Test("A disabled item cannot be chosen, not even by the suggestion of its screen")
  func disabledItemCannotBeChosen() throws {
    var choice = try #require(SeveralChoice(Self.list(0...4, ["c"])))
    #expect(choice.chosenCount == 0)
    choice.toggle(Self.items[2])
    choice.replace(with: Self.items)
    #expect(!choice.contains("c"))
    #expect(choice.chosenCount == 3)
  }

  @Test("An item that leaves the list or becomes disabled is no longer chosen")
  func itemThatLeavesIsNoLongerChosen() throws {
    var choice = try #require(SeveralChoice(Self.list(0...4, ["a", "b"])))
    choice.update(to: [Item("a", "A", disabled: "gone"), Item("b", "B")])
    #expect(choice.payload(of: [Item("b", "B")]) == ["ids": ["b"]])
  }

  @Test("How many items are chosen is said in words")
  func numberIsSaidInWords() throws {
    for (count, text) in [
      (1...3, "Choose 1 to 3"), (2...2, "Choose 2"), (0...3, "Choose up to 3"), (2 ... .max, "Choose at least 2"),
      (0 ... .max, "Choose any number"),
    ] {
      #expect(SeveralChoice(Self.list(count))?.request == text)
    }
    #expect(SeveralChoice(Self.list(1...3, ["a"]))?.status == "Choose 1 to 3: 1 chosen")
  }

  @Test("A list on which one item is chosen suggests an item that can be chosen")
  func singleListSuggestsAnItem() {
    #expect(SeveralChoice(Self.list(nil, ["b"])) == nil)
    #expect(Self.list(nil, ["b"]).preselectedItem?.id == "b")
    #expect(Self.list(nil, ["c"]).preselectedItem == nil)
    #expect(Self.list(nil, ["x"]).preselectedItem == nil)
    #expect(Self.list(nil).preselectedItem == nil)
    #expect(Self.list(1...2, ["b"]).preselectedItem == nil)
  }
}
