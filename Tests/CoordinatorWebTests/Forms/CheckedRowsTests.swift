import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Rows that are checked on several pages of a list", .timeLimit(.minutes(5)))
struct CheckedRowsTests {
  private static let items = (0..<6).map { Item("row,\($0)", Text(verbatim: "Row \($0)")) }
  private static let screen = Screen.list("l", title: "L", items: items).choosing(1...4)

  /// Returns the choice that a page with some of the rows sends.
  private static func sent(_ checked: [Int], of offered: [Int]?, on screen: Screen = screen) throws -> SentChoice {
    let basis = AnswerBasis(of: screen)
    let items = try #require(screen.items)
    let choosing = try #require(screen.choosing)
    var pairs = checked.map { (SentChoice.boxName(of: items[$0], on: basis), items[$0].id) }
    if let offered { pairs.append((SentChoice.offeredName, SentChoice.offering(offered.map { items[$0].id }))) }
    pairs.append((SentChoice.name(of: choosing, on: basis), "choose"))
    let text = pairs.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    return SentChoice(try FormBody(decoding: text.utf8))
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func ids(_ choice: SentChoice) -> JSONValue? {
    choice.event(of: screen, FormAnswer(FormBody(), fields: [])).payload["ids"]
  }

  @Test("What was checked on another page is sent with what is checked on this one, in the order of the list")
  func pagesAddUp() throws {
    let earlier = CheckedRows(["row,5", "row,0", "row,1"], on: Self.screen)
    let choice = try Self.sent([2], of: [0, 1, 2]).including(earlier)
    #expect(Self.ids(choice) == ["row,2", "row,5"])
    #expect(choice.isOfPart && choice.holds(on: Self.screen))
    // A page with all rows is sufficient.
    #expect(try Self.ids(Self.sent([2], of: nil).including(earlier)) == ["row,2"])
  }

  @Test("Rule 6: A row that was checked on another page and has changed since then was not chosen")
  func changedRowOfAnotherPageDoesNotHold() throws {
    let earlier = CheckedRows(["row,5"], on: Self.screen)
    var other = Self.screen
    other.items?[5].subtitle = "Not what it was"
    let choice = try Self.sent([1], of: [0, 1, 2], on: other).including(earlier)
    #expect(!choice.holds(on: other))
    #expect(choice.holds(on: Self.screen))
    // When the screen is shown again, each check is based on the row's current state.
    let draft = Draft(of: FormAnswer(FormBody(), fields: []), choice, on: Samples.window([other]).screens[0])
    #expect(draft.checked?.holds(on: other) == true && draft.checked?.count == 2)
    other.items?.remove(at: 5)
    #expect(draft.checked?.holds(on: other) == false)
  }

  @Test("Rows that are gone or cannot be chosen are not checked")
  func rowsThatCannotBeChosenAreLeftOut() {
    var screen = Self.screen
    screen.items?[0].disabled = "It is lent."
    #expect(CheckedRows(["row,0", "row,1", "gone"], on: screen).ids == ["row,1"])
  }

  @Test("The buttons that show another part of a list say which, and keep the rest of it")
  func looksLeadToParts() throws {
    func view(_ value: String, _ view: String, find: String? = nil) -> String? {
      var pairs = "look=\(value)&view=\(Self.encoded(view))"
      if let find { pairs += "&find=\(Self.encoded(find))" }
      guard let body = try? FormBody(decoding: pairs.utf8) else { return nil }
      return ListLook(body)?.view(body).query
    }
    #expect(view("page/3", "find=a&chosen=1") == "find=a&page=3&chosen=1")
    #expect(view("find", "page=3", find: " b ") == "find=b")
    #expect(view("find", "find=b&page=3", find: "b") == "find=b&page=3")
    #expect(view("clear", "find=a&page=2") == "")
    #expect(view("chosen", "find=a&page=2") == "find=a&chosen=1")
    #expect(view("all", "page=2&chosen=1") == "")
    #expect(view("stay", "page=2") == "page=2")
    for nonsense in ["page/0", "page/x", "page/99999999999999999999", "", "leave"] { #expect(view(nonsense, "page=2") == nil) }
  }
}
