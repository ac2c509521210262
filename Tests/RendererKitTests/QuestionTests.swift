import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("Questions, changes and marks that renderers share", .timeLimit(.minutes(1)))
struct QuestionTests {
  private static let erase = Action.destructive("erase", "Erase").confirming("Erase sda?")

  @Test("Only an action with a question that can be chosen is confirmed")
  func onlyActionsWithAQuestionAreConfirmed() {
    #expect(Confirmation(of: Self.erase)?.question == "Erase sda?")
    #expect(Confirmation(of: .primary("go", "Go")) == nil)
    #expect(Confirmation(of: Self.erase.disabled(because: "There is no disk.")) == nil)
  }

  @Test("The harmless choice comes first only if the action destroys something")
  func harmlessChoiceComesFirstForDestruction() {
    #expect(Confirmation(of: Self.erase)?.isCautious == true)
    #expect(Confirmation(of: .primary("go", "Go").confirming("Go?"))?.isCautious == false)
  }

  @Test("A question applies as long as its action is offered with the same words")
  func questionAppliesToTheSameAction() throws {
    let question = try #require(Confirmation(of: Self.erase))
    func screen(_ action: Action) -> Screen { .message("disk", title: "Disk", actions: [action]) }
    #expect(question.applies(to: screen(Self.erase)))
    #expect(!question.applies(to: screen(Self.erase.confirming("Erase sdb?"))))
    #expect(!question.applies(to: screen(Self.erase.disabled(because: "It is in use."))))
    #expect(!question.applies(to: screen(.destructive("other", "Erase").confirming("Erase sda?"))))
  }

  @Test("Answers under review are changed by the id of their screen, unless the screen is busy")
  func answersAreChangedByTheirScreen() {
    var screen = Screen.message("check", title: "Check")
      .reviewing([ReviewRow("Name", "Ada", on: ScreenID(7)), ReviewRow("Zone", "UTC")])
    #expect(screen.changeableRows == [0])
    #expect(screen.review.map(\.changePayload) == [["id": 7], nil])
    screen.progress = Progress(text: "Saving")
    #expect(screen.changeableRows.isEmpty)
  }

  @Test("A form whose sending is disabled cannot be filled in")
  func formThatCannotBeSentIsNotFilledIn() {
    var screen = Screen.form(
      "name", title: "Name", form: Form(Field("name", .string(title: "Name"))), actions: [.primary("send", "Send")])
    #expect(screen.isFillable)
    screen.actions[0].disabled = "It is closed."
    #expect(!screen.isFillable)
    #expect(screen.actions[0].note == "It is closed.")
  }

  @Test("The parts of a structured text are marked, and free of control characters")
  func partsOfAStructuredTextAreMarked() {
    let block = Markup.Block(
      .paragraph,
      [
        .init("Run "), .init("ls\u{1B}[2J", .code), .init(" as "), .init("root\n", .strong), .init(""),
        .init("manual", link: "https://example.org"), .init("https://a.example", link: "https://a.example"),
        .init("mail", link: "mailto:ada@example.org"), .init("ada@example.org", link: "mailto:ada@example.org"),
      ])
    #expect(
      block.pieces.map(\.text) == [
        "Run ", "`ls[2J`", " as ", "root ", "manual", " (https://example.org)", "https://a.example", "mail", " (ada@example.org)",
        "ada@example.org",
      ])
    #expect(
      block.pieces.map(\.kind) == [.plain, .code, .plain, .strong, .link, .address, .link, .link, .address, .link])
  }

  @Test("The lines of a verbatim text keep their columns")
  func verbatimLinesKeepTheirColumns() {
    let block = Markup.Block(.verbatim, [.init("a\tb\n\tc\n  d\u{7}\n")])
    #expect(block.verbatimLines == ["a       b", "        c", "  d", ""])
  }
}
