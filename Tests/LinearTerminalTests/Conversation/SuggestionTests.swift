import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("Suggestions, line by line", .timeLimit(.minutes(5)))
struct SuggestionTests {
  private static let menu = Screen.menu(
    "size", title: "How large?", choices: [Action("small", "Small"), Action("large", "Large"), .destructive("none", "None")])
  private static let list = Screen.list(
    "tools", title: "Tools", items: [Item("vim", "vim"), Item("ed", "ed"), Item("gcc", "gcc")], actions: [Action("skip", "Skip")])

  @Test("The prompt names the suggested choice in brackets, and an empty line takes it")
  func emptyLineTakesTheSuggestion() {
    var conversation = Conversation.showing(Self.menu.suggesting("large"))
    #expect(conversation.answer("?").prompt == Prompt("Choice [2) Large]: "))
    var other = conversation
    #expect(conversation.answer("").delegation?.event == "large")
    #expect(other.answer("1").delegation?.event == "small")
  }

  @Test("Without a suggestion that can be taken, an empty line on a menu chooses nothing", arguments: [nil, "none", "gone"])
  func emptyLineChoosesNothing(id: String?) {
    var conversation = Conversation.showing(Self.menu.suggesting(id))
    #expect(conversation.answer("?").prompt == Prompt("Choice: "))
    #expect(conversation.answer("").delegation == nil)
  }

  @Test("A row and an action of a list are suggested, and several rows")
  func rowsAreSuggested() {
    var row = Conversation.showing(Self.list.suggesting("gcc"))
    #expect(row.answer("?").prompt == Prompt("Choice [3) gcc]: "))
    #expect(row.answer("").delegation?.payload == ["id": "gcc"])
    var action = Conversation.showing(Self.list.suggesting("skip"))
    #expect(action.answer("?").prompt == Prompt("Choice [4) Skip]: "))
    #expect(action.answer("").delegation?.event == "skip")
    var several = Conversation.showing(Self.list.choosing(1...3).suggesting(rows: ["vim", "gcc"]))
    #expect(several.answer("?").prompt == Prompt("Choose 1 to 3, separated by commas [1, 3]: "))
    #expect(several.answer("").delegation?.payload == ["ids": ["vim", "gcc"]])
  }

  @Test("A primary action is not what an empty line takes if another one is suggested")
  func suggestionTakesPrecedence() {
    let message = Screen.message("m", title: "M", actions: [.primary("yes", "Yes"), Action("no", "No")])
    var conversation = Conversation.showing(message.suggesting("no"))
    #expect(conversation.answer("").delegation?.event == "no")
  }
}
