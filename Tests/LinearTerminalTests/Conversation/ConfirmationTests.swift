import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("Questions before an action, line by line", .timeLimit(.minutes(5)))
struct ConfirmationTests {
  private static let disk = Screen.message(
    "disk", title: "The disk",
    actions: [
      .destructive("erase", "Erase").confirming("Erase sda?"), Action("look", "Look"),
      Action("mount", "Mount").disabled(because: "The disk is not formatted."),
    ])

  @Test("An action with a question is sent only after yes", arguments: ["y", "Yes", " Y "])
  func actionIsSentAfterYes(line: String) {
    var conversation = Conversation.showing(Self.disk)
    #expect(conversation.answer("1") == [.prompt(Prompt("Erase sda? (y/N): "))])
    #expect(conversation.answer(line).delegation?.event == "erase")
  }

  @Test("Any other answer sends nothing, and is not taken for a choice", arguments: ["", "n", "2", "maybe"])
  func otherAnswersSendNothing(line: String) {
    var conversation = Conversation.showing(Self.disk)
    #expect(conversation.answer("1", line) == [.prompt(Prompt("Choice: "))])
    #expect(conversation.answer("2").delegation?.event == "look")
  }

  @Test("The question is withdrawn if its words change, and an answer rests on what the user saw")
  func questionIsWithdrawnIfItChanges() {
    var conversation = Conversation.showing(Self.disk)
    _ = conversation.answer("1")
    var screen = Self.disk
    screen.body = "It is warm."
    #expect(conversation.handle(.event(.window(Samples.window(2, Samples.presented(screen))))).isEmpty)
    var seen = conversation
    #expect(seen.answer("y").delegation?.seen == 1)
    screen.actions[0].confirmation = "Erase sdb?"
    #expect(conversation.handle(.event(.window(Samples.window(3, Samples.presented(screen))))).first == .withdrawPrompt)
  }

  @Test("A disabled action says why instead of being sent, and is no default", arguments: ["3", "mount", "MOUNT"])
  func disabledActionSaysWhy(line: String) {
    var conversation = Conversation.showing(Self.disk)
    #expect(conversation.answer(line).lines == ["Note: The disk is not formatted."])
    #expect(conversation.answer("2").delegation?.event == "look")
    var only = Self.disk
    only.actions.removeFirst(2)
    var idle = Conversation.showing(only)
    #expect(idle.answer("").delegation == nil)
  }

  @Test("A form that is not sent after all is filled in again, or its answers are listed again")
  func formIsFilledInAgain() {
    var screen = Samples.logIn
    screen.actions[0].confirmation = "Log in now?"
    var checked = Conversation.showing(screen)
    #expect(checked.answer("ada", "secret", "").prompt?.text == "Log in now? (y/N): ")
    #expect(checked.answer("n").prompt?.text == "Number to change, or send [Log in]: ")
    var conversation = Conversation.showing(screen, isInteractive: false)
    #expect(conversation.answer("ada", "secret").prompt?.text == "Log in now? (y/N): ")
    #expect(conversation.answer("n").prompt?.text == "Name [ada]: ")
    #expect(conversation.answer("", "secret", "y").delegation?.payload["username"] == "ada")
  }
}
