import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("Fields with conditions, hints and entries on the full screen", .timeLimit(.minutes(5)))
struct FieldTests {
  private let network = Screen(
    "network", kind: .form, title: "Network", actions: [.primary("connect", "Connect")],
    form: Form(
      Field(
        "security",
        Schema(
          .choice([
            Schema.Choice("open", title: "Open"),
            Schema.Choice("wpa", title: "WPA", annotations: ["description": "With a passphrase"]),
          ]), title: "Security")),
      Field("passphrase", .secret(title: "Passphrase", length: 8...63).revealable).shown(if: "security", is: "wpa"),
      Field("cache", .integer(title: "Cache").measured(in: "MB").example(16)).optional,
      Field(
        "hosts",
        .array(
          of: .object(Field("ip", .ipAddress(title: "IP address")), Field("port", .integer(title: "Port")).optional),
          title: "Hosts")
      ).optional))

  @Test("The labels of a box and of a choice are wrapped, so that they can be read to their end")
  func labelsAreWrapped() {
    let long = "has a label that says what people agree to, with conditions and so on, until the end of it"
    let screen = Screen(
      "terms", kind: .form, title: "Terms", actions: [.primary("go", "Go")],
      form: Form(
        Field("box", .boolean(title: Text(verbatim: "The box \(long)"))),
        Field(
          "way",
          Schema(
            .choice([Schema.Choice("a", title: Text(verbatim: "This \(long)")), Schema.Choice("b", title: "B")]), title: "Way"))))
    var display = Display.showing(screen)
    let text = display.text(60, 24)
    #expect(text.contains("[ ] The box has a label") && text.contains("○ This has a label") && !text.contains("…"))
    #expect(display.lines(60, 24).count { $0.contains("of it") } == 2, "\(text)")
  }

  @Test("A field appears and disappears with its condition, and Tab passes over it while it is hidden")
  func fieldFollowsItsCondition() {
    var display = Display.showing(network)
    #expect(!display.text(80, 40).contains("Passphrase"))
    display.press(.character("2"))
    #expect(display.text(80, 40).contains("Passphrase"))
    display.press(.tab)
    #expect(display.views[1]?.stop == .field(1))
    display.press(.backTab, .character("1"), .tab)
    #expect(!display.text(80, 40).contains("Passphrase"))
    #expect(display.views[1]?.stop == .field(2))
  }

  @Test("A hidden field is neither required nor sent")
  func hiddenFieldIsNotSent() {
    var display = Display.showing(network)
    display.press(.character("2"), .tab)
    display.type("correct horse")
    display.press(.backTab, .character("1"))
    #expect(display.press(.enter, .enter, .enter).delegation?.payload == ["security": "open"])
    var secured = Display.showing(network)
    secured.press(.character("2"))
    #expect(secured.press(.enter, .enter, .enter, .enter).isEmpty)
    #expect(secured.views[1]?.form.reasons["passphrase"] != nil)
    #expect(secured.views[1]?.stop == .field(1))
  }

  @Test("A secret that may be shown is shown and hidden by a key, and another is not")
  func secretIsRevealed() {
    var display = Display.showing(network)
    display.press(.character("2"), .tab)
    display.type("hunter22")
    #expect(!display.text(80, 40).contains("hunter22"))
    #expect(display.press(.control("r")).isEmpty)
    #expect(display.text(80, 40).contains("hunter22"))
    #expect(display.text(80, 40).contains("^R hide"))
    display.press(.control("r"))
    #expect(!display.text(80, 40).contains("hunter22"))
    var logIn = Display.showing(Samples.logIn)
    logIn.press(.tab)
    logIn.type("hunter2")
    logIn.press(.control("r"))
    #expect(!logIn.text().contains("hunter2"))
  }

  @Test("The entries of a list are lines, which are sent as objects and saved as a draft")
  func entriesAreLines() {
    var display = Display.showing(network)
    display.press(.character("1"), .tab, .tab)
    #expect(display.views[1]?.stop == .field(3))
    display.type("ip=192.0.2.1 port=80")
    display.press(.newline)
    let draft = display.type("ip=::").draft
    #expect(draft?["hosts"] == [["ip": "192.0.2.1", "port": 80], ["ip": "::"]])
    display.type("1x")
    display.press(.enter)
    #expect(display.text(80, 40).contains("entry 2: IP address"))
    display.press(.backspace)
    #expect(display.press(.enter).delegation?.payload["hosts"] == [["ip": "192.0.2.1", "port": 80], ["ip": "::1"]])
    _ = display.handle(.refused(.refused(.invalidPayload(["hosts[1].ip": "is in use"]))))
    #expect(display.text(80, 40).contains("entry 2: IP address is in use"))
    #expect(display.views[1]?.stop == .field(3))
  }

  @Test("What another renderer typed into a list of entries is shown as lines")
  func foreignEntriesAreLines() {
    var display = Display.showing(network)
    _ = display.handle(.event(.drafted(screen: 1, ["hosts": [["ip": "192.0.2.1"], "half"]])))
    let text = display.text(80, 40)
    #expect(text.contains("ip=192.0.2.1\n"))
    #expect(text.contains("half"))
  }

  @Test("A field shows its unit and its example, and a choice what explains it")
  func hintsAreShown() {
    var display = Display.showing(network)
    let text = display.text(80, 40)
    #expect(text.contains("Cache (MB)"))
    #expect(text.contains("Such as 16."))
    #expect(text.contains("With a passphrase"))
    #expect(text.contains("One entry per line, such as ip=192.0.2.1 port=1, or a JSON object."))
    display.press(.down)
    let row = display.lines(80, 40).firstIndex { $0.contains("WPA") }
    #expect(display.frame.cursor?.row == row)
  }

  @Test("A countdown is drawn from the current time, and says when it changes")
  func countdownIsDrawn() {
    var screen = Samples.home
    screen.until = Timestamp(microseconds: 10_500_000)
    var display = Display.showing(screen)
    let size = Size(columns: 80, rows: 24)
    let frame = display.draw(in: size, at: Timestamp(microseconds: 9_000_000))
    #expect(frame.lines.contains { $0.contains("Continues by itself in 2 s") })
    #expect(frame.nextChange == 500)
    #expect(!frame.isMoving)
    let last = display.draw(in: size, at: Timestamp(microseconds: 11_000_000))
    #expect(last.lines.contains { $0.contains("Continues by itself now") })
    #expect(last.nextChange == nil)
    display.press(.escape)
    #expect(display.draw(in: size, at: Timestamp(microseconds: 9_000_000)).nextChange == 500)
  }
}
