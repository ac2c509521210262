import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("Questions before an action on the full screen", .timeLimit(.minutes(5)))
struct ConfirmationTests {
  private static let disk = Screen.message(
    "disk", title: "The disk",
    actions: [
      .primary("format", "Format").confirming("Format sda?"), .destructive("erase", "Erase").confirming("Erase sda?"),
      Action("look", "Look"), Action("mount", "Mount").disabled(because: "The disk is not formatted."),
    ])

  @Test("An action with a question is sent only after its question is answered", arguments: [Key.enter, .character("y")])
  func actionIsSentAfterItsQuestion(key: Key) {
    var display = Display.showing(Self.disk)
    #expect(display.press(.enter).isEmpty)
    #expect(display.text().contains("│  Format sda?"))
    #expect(display.text().contains("[ Format ]  [ Cancel ]"))
    #expect(display.text().contains("Y yes · Esc cancel"))
    #expect(display.press(key).delegation?.event == "format")
    #expect(display.question == nil)
  }

  @Test("Every other answer sends nothing", arguments: [[Key.escape], [.character("n")], [.tab, .enter], [.altLeft]])
  func otherAnswersSendNothing(keys: [Key]) {
    var display = Display.showing(Self.disk)
    display.press(.enter)
    for key in keys { #expect(display.press(key).isEmpty) }
    #expect(display.question == nil)
    #expect(display.press(.tab, .tab, .enter).delegation?.event == "look")
  }

  @Test("Before something is destroyed, Cancel has the focus")
  func cancelHasTheFocusBeforeDestruction() {
    var display = Display.showing(Self.disk)
    display.press(.tab, .enter)
    #expect(display.text().contains("[! Erase ]  [ Cancel ]"))
    #expect(display.press(.enter).isEmpty)
    #expect(display.question == nil)
    display.press(.enter)
    #expect(display.press(.backTab, .enter).delegation?.event == "erase")
  }

  @Test("The question is closed if its words change, and an answer rests on what the user saw")
  func questionIsClosedIfItChanges() {
    var display = Display.showing(Self.disk)
    display.press(.enter)
    var screen = Self.disk
    screen.body = "It is warm."
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(display.question != nil)
    var seen = display
    #expect(seen.press(.enter).delegation?.seen == 1)
    screen.actions[0].confirmation = "Format sdb?"
    _ = display.handle(.event(.window(Samples.window(3, Samples.presented(screen)))))
    #expect(display.question == nil)
  }

  @Test("A form whose sending is to be confirmed keeps what was typed if the user changes their mind")
  func formKeepsWhatWasTyped() {
    var screen = Samples.logIn
    screen.actions[0].confirmation = "Log in now?"
    var display = Display.showing(screen)
    display.type("ada")
    display.press(.enter)
    display.type("secret")
    #expect(display.press(.enter).isEmpty)
    #expect(display.press(.escape).isEmpty)
    #expect(display.text().contains("••••••"))
    #expect(display.press(.enter, .character("y")).delegation?.payload["username"] == "ada")
  }

  @Test("A disabled action says why instead of being sent, and is not the default", arguments: [true, false])
  func disabledActionSaysWhy(isMenu: Bool) {
    var screen = Self.disk
    screen.kind = isMenu ? .menu : .message
    screen.actions = [screen.actions[3], screen.actions[2]]
    var display = Display.showing(screen)
    #expect(display.text().contains("The disk is not formatted."))
    var chosen = display
    #expect(display.press(.enter).delegation?.event == "look")
    #expect(chosen.press(.up, .enter).isEmpty)
    #expect(chosen.text().contains("• The disk is not formatted."))
  }

  @Test("What explains a choice of a menu is below it, and what explains a button is above the buttons")
  func explanationsAreShown() {
    let explained = Action("a", "Guided").explained("Asks one thing after the other.")
    var menu = Display.showing(Screen.menu("m", title: "How?", choices: [explained, Action("b", "Expert")]))
    #expect(menu.text().contains("  ❯ 1 Guided\n        Asks one thing after the other.\n    2 Expert"))
    var message = Display.showing(Screen.message("m", title: "How?", actions: [explained]))
    #expect(message.text().contains("  Guided: Asks one thing after the other.\n  [ Guided ]"))
  }
}
