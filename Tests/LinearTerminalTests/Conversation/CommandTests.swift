import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("Commands, line by line", .timeLimit(.minutes(5)))
struct CommandTests {
  private static let letters = Screen.list(
    "letters", title: "Letters", items: [Item("b", "Bee"), Item("queue", "q"), Item("2", "Two"), Item("?", "What")])

  @Test("A command with its mark is never taken for an answer", arguments: [true, false])
  func markedCommandIsACommand(isInteractive: Bool) {
    for screen in [Self.letters, Samples.logIn] {
      for (back, quit) in [(":b", ":q"), (":back", ":QUIT")] {
        var conversation = Conversation.showing(screen, isInteractive: isInteractive)
        #expect(conversation.answer(back).prompt?.text.hasPrefix("End this flow") == true)
        #expect(conversation.answer("n", quit).exit == .success)
      }
      var conversation = Conversation.showing(screen, isInteractive: isInteractive)
      #expect(conversation.answer(":?").lines.contains { $0.hasPrefix("b or :b ends the flow") })
    }
  }

  @Test("A row that is named like a command is chosen after a question", arguments: [("b", "b"), ("q", "queue")])
  func rowNamedLikeACommandIsChosen(line: String, id: String) {
    var conversation = Conversation.showing(Self.letters)
    let effects = conversation.answer(line)
    #expect(effects.lines.first == "'\(line)' has two meanings here:")
    #expect(effects.lines.dropFirst().first == "  1) the answer '\(line)'; also written =\(line)")
    #expect(effects.prompt == Prompt("Which one: "))
    var literal = conversation
    #expect(conversation.answer("1").delegation?.payload == ["id": .string(id)])
    #expect(literal.answer("=\(line)").delegation?.payload == ["id": .string(id)])
  }

  @Test("The command that is named like a row is done after the question, and anything else asks again")
  func commandNamedLikeARowIsDone() {
    var conversation = Conversation.showing(Self.letters)
    _ = conversation.answer("b")
    for line in ["2", "b", ":b"] {
      var same = conversation
      #expect(same.answer(line).prompt?.text.hasPrefix("End this flow") == true)
    }
    #expect(conversation.answer("").prompt == Prompt("Choice: "))
    _ = conversation.answer("q")
    #expect(conversation.answer("q").exit == .success)
  }

  @Test("'=' chooses what is named like a number or a command")
  func literalNameIsChosen() {
    for (line, id) in [("=b", "b"), ("=q", "queue"), ("=2", "2"), ("=?", "?"), ("2", "queue")] {
      var conversation = Conversation.showing(Self.letters)
      #expect(conversation.answer(line).delegation?.payload == ["id": .string(id)])
    }
  }

  @Test("Over a pipe, a letter means the command, as scripts expect")
  func scriptIsNotAsked() {
    var conversation = Conversation.showing(Self.letters, isInteractive: false)
    #expect(conversation.answer("b").prompt?.text.hasPrefix("End this flow") == true)
    #expect(conversation.answer("n", "=b").delegation?.payload == ["id": "b"])
  }

  @Test("In a field, a letter that is a valid answer is asked about, and one that is not means the command")
  func letterInAFieldIsAskedAbout() {
    var text = Conversation.showing(Samples.logIn)
    #expect(text.answer("b").lines.first == "'b' has two meanings here:")
    #expect(text.answer("1").prompt == Prompt("Password: ", isSecret: true))
    #expect(text.answer("pw", "").delegation?.payload["username"] == "b")
    let form = Form(Field("age", .integer(title: "Age")))
    let age = Screen("age", kind: .form, title: "Age", actions: [Action("send", "Send", role: .primary)], form: form)
    var number = Conversation.showing(age)
    #expect(number.answer("q").exit == .success)
  }

  @Test("After two lines that were not understood, the commands are listed")
  func commandsAreToldAfterTwoMistakes() {
    var conversation = Conversation.showing(Samples.menu)
    let hint = "b ends the flow, q leaves, ? shows help"
    #expect(!conversation.answer("x").lines.contains(hint))
    #expect(conversation.answer("y").lines.last == hint)
    #expect(!conversation.answer("z").lines.contains(hint))
    var form = Conversation.showing(Samples.logIn)
    #expect(form.answer("much too long a name", "also too long a name").lines.last == hint)
    var script = Conversation.showing(Samples.menu, isInteractive: false)
    #expect(!script.answer("x", "y").lines.contains(hint))
  }

  @Test("Help names what the prompt understands")
  func helpFitsThePrompt() {
    var list = Conversation.showing(Self.letters)
    #expect(list.answer("?").lines.contains { $0.hasPrefix("/text shows") })
    var form = Conversation.showing(Samples.logIn)
    let lines = form.answer("?").lines
    #expect(lines.contains { $0.hasPrefix(":a lists the answers") } && lines.contains { $0.hasPrefix("!action") })
    #expect(!lines.contains { $0.hasPrefix("/text") })
    #expect(form.answer("?").prompt == Prompt("Name [demo]: "))
  }
}
