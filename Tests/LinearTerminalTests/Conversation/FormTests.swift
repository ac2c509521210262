import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("A conversation about a form", .timeLimit(.minutes(5)))
struct FormTests {
  private func invalid(_ reasons: [String: String]) -> Conversation.Input { .refused(.refused(.invalidPayload(reasons))) }

  @Test("The fields of a form are asked for one after the other and sent together")
  func fieldsAreAskedForInOrderAndSent() {
    var conversation = Conversation(tree: "x", style: TextStyle(), isInteractive: true)
    let shown = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.logIn)))))
    #expect(shown.prompt == Prompt("Name [demo]: "))
    #expect(shown.lines.suffix(3).first == "Field 1 of 2: Name")
    #expect(shown.lines.contains("  !cancel  Never mind"))
    let second = conversation.answer("jo")
    #expect(second.lines == ["Field 2 of 2"])
    #expect(second.prompt == Prompt("Password: ", isSecret: true))
    #expect(
      conversation.answer("pw", "").delegation
        == Delegation(
          coordinator: Samples.root, screen: 1, event: "submit", payload: ["username": "jo", "password": "pw"], seen: 1))
  }

  @Test("An empty line keeps the value that is already filled in")
  func emptyLineKeepsAFilledInValue() {
    var conversation = Conversation.showing(Samples.logIn)
    #expect(conversation.answer("", "pw", "").delegation?.payload["username"] == "demo")
  }

  @Test("An answer that does not fit its field is asked for again at once")
  func invalidFieldIsAskedForAgainAtOnce() {
    var conversation = Conversation.showing(Samples.logIn)
    let effects = conversation.answer("much too long a name")
    #expect(effects.lines.first?.hasPrefix("Error: ") == true)
    #expect(effects.prompt == Prompt("Name [demo]: "))
    #expect(conversation.answer("jo", "").lines == ["Error: Password is required"])
  }

  @Test("Only the refused fields are asked for again, and the other answers stay")
  func onlyRefusedFieldsAreAskedForAgain() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw", "")
    let effects = conversation.handle(invalid(["username": "is taken"]))
    #expect(effects == [.print(["Field 1 of 2", "Error: Name is taken"]), .prompt(Prompt("Name [jo]: "))])
    #expect(conversation.answer("joe", "").delegation?.payload == ["username": "joe", "password": "pw"])
  }

  @Test("A refused secret is asked for again without echo")
  func refusedSecretIsAskedForAgainUnseen() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw", "")
    #expect(conversation.handle(invalid(["password": "too short"])).prompt == Prompt("Password: ", isSecret: true))
    #expect(conversation.answer("better", "").delegation?.payload == ["username": "jo", "password": "better"])
  }

  @Test("A reason that concerns no field is printed, and every field is asked for again")
  func reasonWithoutAFieldAsksForEverythingAgain() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw", "")
    let effects = conversation.handle(invalid(["colour": "is unknown"]))
    #expect(effects.lines.contains("Error: colour is unknown"))
    #expect(effects.prompt == Prompt("Name [jo]: "))
  }

  @Test("Over a pipe, commands work in a field unless '=' marks the line as a value")
  func commandsWorkInFieldsUnlessEscaped() {
    var back = Conversation.showing(Samples.logIn, isInteractive: false)
    #expect(back.answer("b").prompt?.text.contains("End this flow") == true)
    var literal = Conversation.showing(Samples.logIn, isInteractive: false)
    #expect(literal.answer("=b", "pw").delegation?.payload["username"] == "b")
    var quit = Conversation.showing(Samples.logIn, isInteractive: false)
    #expect(quit.answer("q").exit == .success)
  }

  @Test("A secret field takes commands literally", arguments: ["b", "q", "?", "!cancel", "=x", " spaces "])
  func commandsInASecretAreTakenLiterally(line: String) {
    var conversation = Conversation.showing(Samples.logIn)
    #expect(conversation.answer("jo", line, "").delegation?.payload["password"] == .string(line))
  }

  @Test("'!' chooses another action of a form, and an unknown one is asked for again")
  func otherActionIsChosenFromAForm() {
    var conversation = Conversation.showing(Samples.logIn)
    let delegation = conversation.answer("!cancel").delegation
    #expect(delegation?.event == "cancel")
    #expect(delegation?.payload == [:])
    var wrong = Conversation.showing(Samples.logIn)
    #expect(wrong.answer("!nonsense").prompt == Prompt("Name [demo]: "))
  }

  @Test("Answers stay when the screen changes but not its form")
  func answersStayWhenOnlyTheScreenChanges() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo")
    var screen = Samples.logIn
    screen.title = "Log in, please"
    let effects = conversation.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(effects.lines.contains("Log in, please"))
    #expect(effects.prompt == Prompt("Password: ", isSecret: true))
    #expect(conversation.answer("pw", "").delegation?.payload == ["username": "jo", "password": "pw"])
  }

  @Test("A form that is shown again after it was accepted begins anew")
  func acceptedFormBeginsAnew() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw", "")
    _ = conversation.handle(.accepted(revision: 2))
    var again = Samples.logIn
    again.messages = [.error("invalid-credentials", "Wrong name or password.")]
    again.values = ["username": "jo"]
    let effects = conversation.handle(.event(.window(Samples.window(2, Samples.presented(again)))))
    #expect(effects.lines.contains("Error: Wrong name or password."))
    #expect(effects.prompt == Prompt("Name [jo]: "))
  }

  @Test("After a refusal the answers are offered again, except the secret")
  func answersAreOfferedAgainWithoutTheSecret() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw", "")
    let effects = conversation.handle(.refused(.refused(.denied(message: "Not now."))))
    #expect(effects.prompt == Prompt("Name [jo]: "))
    #expect(conversation.answer("").prompt == Prompt("Password: ", isSecret: true))
  }

  @Test("A typed secret is never printed")
  func typedSecretIsNeverPrinted() {
    var conversation = Conversation.showing(Samples.logIn)
    var printed: [String] = []
    printed += conversation.answer("jo").lines
    printed += conversation.answer("hunter2").lines
    printed += conversation.handle(invalid(["password": "too short"])).lines
    #expect(!printed.joined().contains("hunter2"))
  }
}
