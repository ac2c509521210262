import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("A form on a full screen")
struct FormTests {
  private func invalid(_ reasons: [String: String]) -> Display.Input { .refused(.refused(.invalidPayload(reasons))) }

  private func filled() -> Display {
    var display = Display.showing(Samples.logIn)
    display.type("jo")
    display.press(.enter)
    display.type("hunter2")
    return display
  }

  @Test("is filled in field by field, and sent with Enter in the last one")
  func fill() {
    var display = filled()
    let delegation = display.press(.enter).delegation
    #expect(delegation?.event == "submit")
    #expect(delegation?.payload == ["username": "jo", "password": "hunter2"])
    #expect(delegation?.seen == 1)
  }

  @Test("never shows a secret, and forgets it when it is sent and when it is covered")
  func secret() {
    var display = filled()
    #expect(!display.text().contains("hunter2"))
    #expect(display.text().contains("•••••••"))
    #expect(display.views[1]?.draft == ["username": "jo"])
    var covered = display
    display.press(.enter)
    #expect(display.views[1]?.fields[1].isEmpty == true)
    let modal = Samples.presented(Samples.menu, id: 2, layer: 1)
    _ = covered.handle(.event(.window(Samples.window(2, Samples.presented(Samples.logIn), modal))))
    #expect(covered.views[1]?.fields[1].isEmpty == true)
    #expect(covered.views[1]?.draft == ["username": "jo"])
  }

  @Test("is checked before it is sent: the reason stands beside the first wrong field, which has the keys then")
  func check() {
    var display = Display.showing(Samples.logIn)
    display.press(.tab)
    #expect(display.press(.enter).isEmpty)
    #expect(display.views[1]?.stop == .field(0))
    let lines = display.lines()
    let label = lines.firstIndex { $0.contains("User name") } ?? 0
    #expect(lines[label + 2].hasSuffix("✗ an answer is needed"))
    display.type("j")
    #expect(display.views[1]?.reasons["username"] == nil)
  }

  @Test("shows beside its field what the daemon refuses, and keeps what was typed")
  func refused() {
    var display = filled()
    display.press(.enter)
    _ = display.handle(invalid(["username": "is taken", "colour": "is unknown"]))
    #expect(display.text().contains("✗ is taken"))
    #expect(display.notice?.text == "colour is unknown")
    #expect(display.views[1]?.stop == .field(0))
    #expect(display.views[1]?.draft == ["username": "jo"])
  }

  @Test("keeps what is being typed when the screen changes, and takes over the rest")
  func updated() {
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

  @Test("shows what the screen says once what was typed has been taken, whatever comes first")
  func taken() {
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

  @Test("goes to the empty field when the answer was wrong")
  func wrongPassword() {
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

  @Test("has what was typed kept after each change, and fills in what was typed elsewhere where nothing was typed here")
  func drafts() {
    var display = Display.showing(Samples.everything)
    #expect(display.type("jo").draft == ["name": "jo"])
    #expect(display.press(.left).draft == nil)
    let typed: [String: JSONValue] = [
      "name": "other", "age": "7x", "news": true, "order": "random", "days": ["mo", "tu"], "tags": ["a", "b"], "nonsense": "x",
    ]
    _ = display.handle(.event(.drafted(screen: 1, typed)))
    #expect(display.views[1]?.fields.map(\.draft) == ["jo", "", "7x", true, "random", ["mo", "tu"], ["a", "b"]])
    #expect(display.views[1]?.isTouched == true)
    let kept = display.type("e").draft
    #expect(kept?["name"] == "jeo" && kept?["age"] == "7x" && kept?["nonsense"] == nil)
    _ = display.handle(.event(.drafted(screen: 1, [:])))
    #expect(display.views[1]?.fields.map(\.draft) == ["jeo", "", "", nil, "author", [], []])
  }

  @Test("begins with what was typed before, here or elsewhere")
  func keptDraft() {
    var presented = Samples.presented(Samples.logIn)
    presented.draft = ["username": "jo", "password": "never"]
    var display = Display.showing(Samples.window(1, presented))
    #expect(display.views[1]?.stop == .field(1))
    display.type("pw")
    #expect(display.press(.enter).delegation?.payload == ["username": "jo", "password": "pw"])
  }

  @Test("has fields of all kinds")
  func kinds() {
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

  @Test("leaves out what may be left out, and takes an empty box for no")
  func leftOut() {
    var display = Display.showing(Samples.everything)
    display.type("jo")
    display.press(.enter, .enter)
    display.type("7")
    display.press(.tab, .tab, .tab, .tab)
    #expect(display.press(.enter).delegation?.payload == ["name": "jo", "age": 7, "news": false, "order": "author"])
  }

  @Test(
    "says what does not fit, in the words of the schema",
    arguments: [("x", "must be a whole number"), ("200", "must be 0 to 150")])
  func wrong(age: String, reason: String) {
    var display = Display.showing(Samples.everything)
    display.press(.tab, .tab)
    display.type(age)
    display.press(.enter)
    #expect(display.views[1]?.reasons["age"] == reason)
  }

  @Test("lets arrows pass through choices without changing them")
  func passing() {
    var display = Display.showing(Samples.everything)
    for _ in 0..<7 { display.press(.down) }
    #expect(display.views[1]?.draft == [:])
    #expect(display.press(.character("1")).draft == ["days": ["mo"]])
  }

  @Test("does something else than being sent, without what was typed")
  func alternative() {
    var display = filled()
    display.press(.tab, .tab)
    let delegation = display.press(.enter).delegation
    #expect(delegation?.event == "cancel")
    #expect(delegation?.payload == [:])
  }
}
