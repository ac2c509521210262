import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorTools

@Suite("A conversation about a form")
struct FormTests {
  private func invalid(_ reasons: [String: String]) -> Conversation.Input { .refused(.refused(.invalidPayload(reasons))) }

  @Test("asks for one field after the other, and sends them all")
  func fill() {
    var conversation = Conversation(tree: "x", style: TextStyle(), isInteractive: true)
    let shown = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.logIn)))))
    #expect(shown.prompt == Prompt("Name [demo]: "))
    #expect(shown.lines.contains("  !cancel  Never mind"))
    #expect(conversation.answer("jo").prompt == Prompt("Password: ", isSecret: true))
    #expect(
      conversation.answer("pw").delegation
        == Delegation(
          coordinator: Samples.root, screen: 1, event: "submit", payload: ["username": "jo", "password": "pw"], seen: 1))
  }

  @Test("takes an empty line for what is filled in already")
  func defaults() {
    var conversation = Conversation.showing(Samples.logIn)
    #expect(conversation.answer("", "pw").delegation?.payload["username"] == "demo")
  }

  @Test("checks each answer at once, and asks again for one that does not fit")
  func check() {
    var conversation = Conversation.showing(Samples.logIn)
    let effects = conversation.answer("much too long a name")
    #expect(effects.lines.first?.hasPrefix("Error: ") == true)
    #expect(effects.prompt == Prompt("Name [demo]: "))
    #expect(conversation.answer("jo", "").lines == ["Error: an answer is needed"])
  }

  @Test("asks again only for the fields that were wrong, and keeps the others")
  func correct() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw")
    let effects = conversation.handle(invalid(["username": "is taken"]))
    #expect(effects == [.print(["Error: is taken"]), .prompt(Prompt("Name [jo]: "))])
    #expect(conversation.answer("joe").delegation?.payload == ["username": "joe", "password": "pw"])
  }

  @Test("asks for a wrong secret again, unseen")
  func wrongSecret() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw")
    #expect(conversation.handle(invalid(["password": "too short"])).prompt == Prompt("Password: ", isSecret: true))
    #expect(conversation.answer("better").delegation?.payload == ["username": "jo", "password": "better"])
  }

  @Test("prints reasons that are about no field, and asks for everything again")
  func otherReason() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw")
    let effects = conversation.handle(invalid(["colour": "is unknown"]))
    #expect(effects.lines.contains("Error: colour: is unknown"))
    #expect(effects.prompt == Prompt("Name [jo]: "))
  }

  @Test("takes commands in a field, unless they are marked as text")
  func commands() {
    var back = Conversation.showing(Samples.logIn)
    #expect(back.answer("b").prompt?.text.contains("End this flow") == true)
    var literal = Conversation.showing(Samples.logIn)
    #expect(literal.answer("=b", "pw").delegation?.payload["username"] == "b")
    var quit = Conversation.showing(Samples.logIn)
    #expect(quit.answer("q").exit == .success)
  }

  @Test("takes nothing in a secret for a command", arguments: ["b", "q", "?", "!cancel", "=x", " spaces "])
  func secret(line: String) {
    var conversation = Conversation.showing(Samples.logIn)
    #expect(conversation.answer("jo", line).delegation?.payload["password"] == .string(line))
  }

  @Test("does something else than filling in the form")
  func alternative() {
    var conversation = Conversation.showing(Samples.logIn)
    let delegation = conversation.answer("!cancel").delegation
    #expect(delegation?.event == "cancel")
    #expect(delegation?.payload == [:])
    var wrong = Conversation.showing(Samples.logIn)
    #expect(wrong.answer("!nonsense").prompt == Prompt("Name [demo]: "))
  }

  @Test("keeps what was answered when the screen changes but not its form")
  func changedAround() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo")
    var screen = Samples.logIn
    screen.title = "Log in, please"
    let effects = conversation.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(effects.lines.contains("Log in, please"))
    #expect(effects.prompt == Prompt("Password: ", isSecret: true))
    #expect(conversation.answer("pw").delegation?.payload == ["username": "jo", "password": "pw"])
  }

  @Test("begins anew when the form itself is another one, or was sent")
  func begunAnew() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw")
    _ = conversation.handle(.accepted(revision: 2))
    var again = Samples.logIn
    again.messages = [.error("invalid-credentials", "Wrong name or password.")]
    again.values = ["username": "jo"]
    let effects = conversation.handle(.event(.window(Samples.window(2, Samples.presented(again)))))
    #expect(effects.lines.contains("Error: Wrong name or password."))
    #expect(effects.prompt == Prompt("Name [jo]: "))
  }

  @Test("offers what was answered again after another refusal, but not the secret")
  func refused() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo", "pw")
    let effects = conversation.handle(.refused(.refused(.denied(message: "Not now."))))
    #expect(effects.prompt == Prompt("Name [jo]: "))
    #expect(conversation.answer("").prompt == Prompt("Password: ", isSecret: true))
  }

  @Test("never prints a secret")
  func secretUnseen() {
    var conversation = Conversation.showing(Samples.logIn)
    var printed: [String] = []
    printed += conversation.answer("jo").lines
    printed += conversation.answer("hunter2").lines
    printed += conversation.handle(invalid(["password": "too short"])).lines
    #expect(!printed.joined().contains("hunter2"))
  }
}
