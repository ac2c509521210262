import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Rule 6: The basis of an answer", .timeLimit(.minutes(5)))
struct SentChoiceTests {
  private static let items = [Item("office", "Office", subtitle: "Room 1"), Item("home", "Home")]

  private static func list(_ items: [Item], title: String = "Networks", _ action: Action = Action("skip", "Skip")) -> Screen {
    .list("networks", title: Text(verbatim: title), items: items, actions: [action])
  }

  private static func form(_ screen: Screen, _ change: (inout Screen) -> Void) -> Screen {
    var screen = screen
    change(&screen)
    return screen
  }

  /// Returns the press of a button of a page as a form sends it.
  private static func pressing(_ id: String, on screen: Screen) throws -> SentChoice {
    let basis = AnswerBasis(of: screen)
    if let item = screen.items?.first(where: { $0.id == id }) { return SentChoice([SentChoice.name(of: item, on: basis): id]) }
    let action = try #require(screen.actions.first { $0.id == id })
    return SentChoice([SentChoice.name(of: action, on: basis): id])
  }

  @Test("Rule 6: Rows that come and go, and a title that counts them, do not invalidate an answer to a list")
  func unrelatedRowsDoNotChangeAnAnswer() throws {
    let choice = try Self.pressing("office", on: Self.list(Self.items))
    #expect(choice.button == .item("office"))
    #expect(choice.holds(on: Self.list(Self.items)))
    #expect(choice.holds(on: Self.list([Item("new", "New"), Self.items[0]], title: "2 networks")))
    #expect(try Self.pressing("skip", on: Self.list(Self.items)).holds(on: Self.list([], title: "None")))
  }

  @Test("Rule 6: A row or button that has changed or is gone was not chosen")
  func changedOrMissingChoiceIsInvalid() throws {
    let choice = try Self.pressing("office", on: Self.list(Self.items))
    #expect(!choice.holds(on: Self.list([Item("office", "Office", subtitle: "Room 2")])))
    #expect(!choice.holds(on: Self.list([Self.items[1]])))
    let skip = try Self.pressing("skip", on: Self.list(Self.items))
    #expect(!skip.holds(on: Self.list(Self.items, Action("skip", "Delete all"))))
    #expect(!skip.holds(on: Self.list(Self.items, Action("skip", "Skip", role: .destructive))))
  }

  @Test("Rule 6: An answer to a form depends on its fields and texts, but not on its values")
  func formIsIdentifiedByFieldsAndTexts() throws {
    let choice = try Self.pressing("submit", on: Samples.logIn)
    #expect(choice.button == .event("submit"))
    #expect(choice.holds(on: Self.form(Samples.logIn) { $0.values = ["username": "carla"] }))
    #expect(choice.holds(on: Self.form(Samples.logIn) { $0.messages = [.info("m", "M")] }))
    #expect(!choice.holds(on: Self.form(Samples.logIn) { $0.title = "Sign a contract" }))
    #expect(!choice.holds(on: Self.form(Samples.logIn) { $0.body = "For 100 €." }))
    #expect(!choice.holds(on: Self.form(Samples.logIn) { $0.form = Form(Field("username", .email(title: "E-mail"))) }))
  }

  @Test("Rule 6: An answer to a menu depends on all its choices")
  func menuIsIdentifiedByAllChoices() throws {
    let menu = Screen.menu("m", title: "M", choices: [Action("a", "A"), Action("b", "B")])
    let choice = try Self.pressing("a", on: menu)
    #expect(choice.holds(on: menu))
    #expect(!choice.holds(on: .menu("m", title: "M", choices: [Action("a", "A"), Action("b", "Better")])))
  }

  @Test("A choice without a basis is never valid on an updated screen")
  func choiceWithoutABasisIsNeverValid() {
    for name in ["event", "event.", "event.0"] { #expect(!SentChoice([name: "submit"]).holds(on: Samples.logIn)) }
    #expect(SentChoice(["event": "submit"]).button == .event("submit"))
    #expect(SentChoice(["field.event": "x"]).button == .event(""))
  }
}
