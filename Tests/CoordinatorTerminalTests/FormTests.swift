import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("A form on the full screen", .timeLimit(.minutes(5)))
struct FormTests {
  private func invalid(_ reasons: [String: String]) -> Display.Input { .refused(.refused(.invalidPayload(reasons))) }

  private func filled() -> Display {
    var display = Display.showing(Samples.logIn)
    display.type("jo")
    display.press(.enter)
    display.type("hunter2")
    return display
  }

  @Test("A form is filled in field by field and sent with Enter in the last one")
  func formIsFilledInAndSent() {
    var display = filled()
    let delegation = display.press(.enter).delegation
    #expect(delegation?.event == "submit")
    #expect(delegation?.payload == ["username": "jo", "password": "hunter2"])
    #expect(delegation?.seen == 1)
  }

  @Test("A form hides a secret, and forgets it when it is sent or covered")
  func secretIsHiddenAndForgotten() {
    var display = filled()
    #expect(!display.text().contains("hunter2"))
    #expect(display.text().contains("•••••••"))
    #expect(display.views[1]?.draft == ["username": "jo"])
    var covered = display
    display.press(.enter)
    #expect(display.views[1]?.form.fields[1].isEmpty == true)
    let modal = Samples.presented(Samples.menu, id: 2, layer: 1)
    _ = covered.handle(.event(.window(Samples.window(2, Samples.presented(Samples.logIn), modal))))
    #expect(covered.views[1]?.form.fields[1].isEmpty == true)
    #expect(covered.views[1]?.draft == ["username": "jo"])
  }

  @Test("A form is checked before it is sent, and its first invalid field shows the reason and gets the focus")
  func invalidFieldIsFocusedBeforeSending() {
    var display = Display.showing(Samples.logIn)
    display.press(.tab)
    #expect(display.press(.enter).isEmpty)
    #expect(display.views[1]?.stop == .field(0))
    let lines = display.lines()
    let label = lines.firstIndex { $0.contains("User name") } ?? 0
    #expect(lines[label + 2].hasSuffix("✗ User name is required"))
    display.type("j")
    #expect(display.views[1]?.form.reasons["username"] == nil)
  }

  @Test("A field that the daemon refuses shows the reason, and what was typed stays")
  func refusedFieldShowsItsReason() {
    var display = filled()
    display.press(.enter)
    _ = display.handle(invalid(["username": "is taken", "colour": "is unknown"]))
    #expect(display.text().contains("✗ User name is taken"))
    #expect(display.notice?.text == "colour is unknown")
    #expect(display.views[1]?.stop == .field(0))
    #expect(display.views[1]?.draft == ["username": "jo"])
  }

  @Test("Typed values stay when the screen changes, and the rest is updated")
  func typedValuesStayWhenTheScreenChanges() {
    var display = Display.showing(Samples.logIn)
    display.type("jo")
    var screen = Samples.logIn
    screen.values = ["username": "somebody"]
    screen.messages = [.warning("soon", "Closing soon.")]
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(display.text().contains("┃ jo"))
    #expect(display.text().contains("! Closing soon."))
    display.press(.tab)
    display.type("pw")
    #expect(display.press(.enter).delegation?.seen == 2)
    var untouched = Display.showing(Samples.logIn)
    _ = untouched.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(untouched.text().contains("somebody"))
  }

  @Test("Accepted values give way to what the screen says, whichever of reply and window arrives first")
  func acceptedValuesGiveWayToTheScreen() {
    var again = Samples.logIn
    again.values = ["username": "JO"]
    again.messages = [.error("invalid-credentials", "Wrong.")]
    let news = Display.Input.event(.window(Samples.window(2, Samples.presented(again))))
    for inputs in [[news, .accepted(revision: 2)], [.accepted(revision: 2), news]] {
      var display = filled()
      display.press(.enter)
      for input in inputs { _ = display.handle(input) }
      #expect(display.views[1]?.draft == [:])
      #expect(display.text().contains("JO"))
      #expect(display.phase == .ready)
    }
  }

  @Test("After a wrong answer the empty field gets the focus")
  func emptyFieldIsFocusedAfterAWrongAnswer() {
    var display = filled()
    display.press(.enter)
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(Samples.busy)))))
    _ = display.handle(.accepted(revision: 2))
    #expect(display.views[1]?.stop == nil)
    var again = Samples.logIn
    again.values = ["username": "jo"]
    _ = display.handle(.event(.window(Samples.window(3, Samples.presented(again)))))
    #expect(display.views[1]?.stop == .field(1))
  }

  @Test("What is typed is saved as a draft, and drafts of others fill in the untouched fields")
  func draftsAreSavedAndMerged() {
    var display = Display.showing(Samples.everything)
    #expect(display.type("jo").draft == ["name": "jo"])
    #expect(display.press(.left).draft == nil)
    let typed: [String: JSONValue] = [
      "name": "other", "age": "7x", "news": true, "order": "random", "days": ["mo", "tu"], "tags": ["a", "b"], "nonsense": "x",
    ]
    _ = display.handle(.event(.drafted(screen: 1, typed)))
    #expect(display.views[1]?.form.fields.map(\.draft) == ["jo", "", "7x", true, "random", ["mo", "tu"], ["a", "b"]])
    #expect(display.views[1]?.isTouched == true)
    let kept = display.type("e").draft
    #expect(kept?["name"] == "jeo" && kept?["age"] == "7x" && kept?["nonsense"] == nil)
    _ = display.handle(.event(.drafted(screen: 1, [:])))
    #expect(display.views[1]?.form.fields.map(\.draft) == ["jeo", "", "", nil, "author", [], []])
  }

  @Test("A form begins with the draft that was kept, except for its secrets")
  func formBeginsWithItsDraft() {
    var presented = Samples.presented(Samples.logIn)
    presented.draft = ["username": "jo", "password": "never"]
    var display = Display.showing(Samples.window(1, presented))
    #expect(display.views[1]?.stop == .field(1))
    display.type("pw")
    #expect(display.press(.enter).delegation?.payload == ["username": "jo", "password": "pw"])
  }

  @Test("Fields of all kinds are filled in and sent with their types")
  func fieldsOfAllKindsAreSent() {
    var display = Display.showing(Samples.everything)
    display.type("jo")
    display.press(.enter)
    display.press(.enter)
    display.type(" 7 ")
    display.press(.enter)
    display.press(.character(" "), .enter)
    #expect(display.views[1]?.stop == .field(4))
    display.press(.down, .enter)
    display.press(.character(" "), .down, .character(" "), .enter)
    display.type("a, b")
    let payload = display.press(.enter).delegation?.payload
    #expect(
      payload == ["name": "jo", "age": 7, "news": true, "order": "random", "days": ["mo", "tu"], "tags": ["a", "b"]])
  }

  @Test("Optional fields are left out, and an empty checkbox means no")
  func optionalFieldsAreLeftOut() {
    var display = Display.showing(Samples.everything)
    display.type("jo")
    display.press(.enter, .enter)
    display.type("7")
    display.press(.tab, .tab, .tab, .tab)
    #expect(display.press(.enter).delegation?.payload == ["name": "jo", "age": 7, "news": false, "order": "author"])
  }

  @Test(
    "An invalid value shows the reason in the words of the schema",
    arguments: [("x", "Age must be a whole number"), ("200", "Age must be 0 to 150")])
  func invalidValueShowsTheReason(age: String, reason: String) {
    var display = Display.showing(Samples.everything)
    display.press(.tab, .tab)
    display.type(age)
    display.press(.enter)
    #expect(display.views[1]?.form.reasons["age"] == reason)
  }

  @Test("Arrow keys pass through choices without changing them")
  func arrowsPassThroughChoices() {
    var display = Display.showing(Samples.everything)
    for _ in 0..<7 { display.press(.down) }
    #expect(display.views[1]?.draft == [:])
    #expect(display.press(.character("1")).draft == ["days": ["mo"]])
  }

  @Test("An action other than the primary one is sent without the typed values")
  func otherActionIsSentWithoutValues() {
    var display = filled()
    display.press(.tab, .tab)
    let delegation = display.press(.enter).delegation
    #expect(delegation?.event == "cancel")
    #expect(delegation?.payload == [:])
  }

  @Test("Several wrong answers are counted, and an answer that is corrected is no longer marked")
  func wrongAnswersAreCounted() {
    var display = Display.showing(Samples.logIn)
    display.press(.tab)
    display.press(.enter)
    #expect(display.text().contains("There are problems with 2 answers."))
    var told = Samples.everything
    told.messages = [.error("taken", "Name is taken", field: "name")]
    var form = Display.showing(told)
    #expect(form.text(80, 40).contains("Name is taken"))
    form.type("anna")
    #expect(!form.text(80, 40).contains("Name is taken"))
  }

  @Test("No letter leaves a form, whatever part of it has the focus")
  func lettersNeverLeaveAForm() {
    var display = Display.showing(Samples.logIn)
    for _ in 0..<4 {
      #expect(display.press(.character("q")).exit == nil)
      #expect(display.text().contains("^C leave"))
      display.press(.tab)
    }
  }
}
