import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("Checking the answers of a form, line by line", .timeLimit(.minutes(5)))
struct CheckingTests {
  @Test("After the last field, the answers are listed without secrets, and an empty line or 'send' sends them")
  func answersAreListedBeforeTheyAreSent() {
    for line in ["", "send", "Log in", "submit"] {
      var conversation = Conversation.showing(Samples.logIn)
      let effects = conversation.answer("jo", "pw")
      #expect(effects.delegation == nil)
      #expect(
        effects.lines == ["", "Check your answers:", "  1) Name: jo", "  2) Password: not shown", "  !cancel  Never mind"])
      #expect(effects.prompt == Prompt("Number to change, or send [Log in]: "))
      #expect(conversation.answer(line).delegation?.payload == ["username": "jo", "password": "pw"])
    }
  }

  @Test("A number changes an answer, and the others stay")
  func numberChangesAnAnswer() {
    var conversation = Conversation.showing(Samples.logIn)
    let field = conversation.answer("jo", "pw", "1")
    #expect(field.lines == ["Field 1 of 2"])
    #expect(field.prompt == Prompt("Name [jo]: "))
    #expect(conversation.answer("joe").lines.contains("  1) Name: joe"))
    #expect(conversation.answer("").delegation?.payload == ["username": "joe", "password": "pw"])
  }

  @Test("Nothing is listed over a pipe, or for a single answer")
  func scriptsAndSingleAnswersAreNotChecked() {
    var script = Conversation.showing(Samples.logIn, isInteractive: false)
    #expect(script.answer("jo", "pw").delegation != nil)
    let form = Form(Field("name", .string(title: "Name")))
    let single = Screen("n", kind: .form, title: "N", actions: [Action("send", "Send", role: .primary)], form: form)
    var conversation = Conversation.showing(single)
    #expect(conversation.answer("x").delegation?.payload == ["name": "x"])
  }

  @Test("The answers are saved for other renderers while they are checked, without the secret")
  func answersAreSavedWhileTheyAreChecked() {
    var conversation = Conversation.showing(Samples.logIn)
    #expect(conversation.answer("jo", "pw").contains(.saveDraft(screen: 1, ["username": "jo"])))
  }

  @Test("':a' lists the answers so far, and an empty line continues")
  func answersSoFarAreListed() {
    var conversation = Conversation.showing(Samples.network)
    let effects = conversation.answer("open", ":a")
    #expect(effects.lines.contains("  1) Security: Open") && effects.lines.contains("  2) Cache (MB): not answered yet"))
    #expect(effects.prompt == Prompt("Number to change [go on]: "))
    #expect(conversation.answer("").prompt?.text.hasPrefix("Cache") == true)
    _ = conversation.answer("16", "one", "two", ".", "ip=192.0.2.1", "ip=::1 name=x", "")
    let all = conversation.answer("?").lines
    #expect(all.contains("  2) Cache (MB): 16") && all.contains("  3) Notes: one") && all.contains("     two"))
    #expect(all.contains("  4) Hosts: ip=192.0.2.1") && all.contains("     ip=::1 name=x"))
    // Another answer shows another field.
    #expect(conversation.answer("1", "wpa").prompt?.text.hasPrefix("Passphrase") == true)
  }

  @Test("At the list of answers, other actions, Back and wrong lines work as elsewhere")
  func commandsWorkAtTheList() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw")
    var other = conversation
    #expect(other.answer("!cancel").delegation?.event == "cancel")
    var back = conversation
    #expect(back.answer("b").prompt?.text.hasPrefix("End this flow") == true)
    #expect(back.answer("n").prompt == Prompt("Number to change, or send [Log in]: "))
    #expect(conversation.answer("3").lines == ["Enter a number from 1 to 2 to change that answer, or an empty line."])
  }

  @Test("The second empty answer to a secret lists the answers, because no command is understood at its prompt")
  func secretCanBeLeft() {
    var conversation = Conversation.showing(Samples.logIn)
    let effects = conversation.answer("jo", "", "")
    #expect(effects.lines.contains("  2) Password: not answered yet"))
    #expect(effects.prompt == Prompt("Number to change [go on]: "))
    #expect(conversation.answer("").prompt == Prompt("Password: ", isSecret: true))
  }

  @Test("Several refused answers are counted, and each is asked for with its reason")
  func refusedAnswersAreCounted() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw", "")
    let effects = conversation.handle(
      .refused(.refused(.invalidPayload(["username": "is taken", "password": "is too weak"]))))
    #expect(effects.lines == ["There are problems with 2 answers.", "Field 1 of 2", "Error: Name is taken"])
    #expect(conversation.answer("joe").lines == ["Field 2 of 2", "Error: Password is too weak"])
  }

  @Test("A value that was typed elsewhere is said not to have been sent")
  func valueTypedElsewhereIsMarked() {
    var conversation = Conversation.showing(Samples.logIn)
    let effects = conversation.handle(.event(.drafted(screen: 1, ["username": "ada"])))
    #expect(effects.lines == ["The answer in brackets was typed before, but not sent."])
    #expect(effects.prompt == Prompt("Name [ada]: "))
    #expect(!conversation.answer("x", ":a", "1").lines.contains { $0.contains("typed before") })
  }

  @Test("A form that changes while its answers are checked is asked for again")
  func changedFormIsAskedForAgain() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw")
    var screen = Samples.logIn
    screen.body = "Quickly."
    let same = conversation.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(same.first == .withdrawPrompt)
    #expect(same.lines.contains("Quickly.") && same.prompt == Prompt("Number to change, or send [Log in]: "))
    let next = conversation.handle(.event(.window(Samples.window(3, Samples.presented(Samples.note, id: 2)))))
    #expect(next.prompt == Prompt("Choice [1]: "))
  }
}
