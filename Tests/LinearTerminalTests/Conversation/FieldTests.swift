import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("A conversation about fields with conditions, hints and entries", .timeLimit(.minutes(5)))
struct FieldTests {
  @Test("A field is asked for only while its condition holds, and a dropped one is not sent")
  func fieldIsAskedForWhileShown() {
    var open = Conversation.showing(Samples.network, isInteractive: false)
    #expect(open.answer("open").prompt?.text.hasPrefix("Cache (MB)") == true)
    let sent = open.answer("", "", "").delegation?.payload
    #expect(sent?["security"] == "open")
    #expect(sent?.keys.contains("passphrase") == false)
    var secured = Conversation.showing(Samples.network, isInteractive: false)
    #expect(secured.answer("2").prompt == Prompt("Passphrase: ", isSecret: true))
    let payload = secured.answer("correct horse", "", "", "").delegation?.payload
    #expect(payload?["passphrase"] == "correct horse")
    // The daemon refuses the first answer; the second one hides the field.
    let effects = secured.handle(.refused(.refused(.invalidPayload(["security": "is not offered"]))))
    #expect(effects.prompt == Prompt("Security [WPA]: "))
    let corrected = secured.answer("open").delegation?.payload
    #expect(corrected?["security"] == "open")
    #expect(corrected?.keys.contains("passphrase") == false)
  }

  @Test("A field that an answer to a later field shows is asked for then")
  func earlierFieldIsAskedForWhenShown() {
    let form = Form(
      Field("name", .string(title: "Name")).shown(if: "named", is: true), Field("named", .boolean(title: "Named")))
    let screen = Screen("n", kind: .form, title: "N", actions: [Action("send", "Send", role: .primary)], form: form)
    var conversation = Conversation(tree: "x", style: TextStyle(), isInteractive: false)
    #expect(conversation.handle(.event(.window(Samples.window(1, Samples.presented(screen))))).prompt?.text == "Named (y/n): ")
    #expect(conversation.answer("y").prompt?.text == "Name: ")
    #expect(conversation.answer("x").delegation?.payload == ["named": true, "name": "x"])
  }

  @Test("A text of several lines ends with a dot")
  func textOfSeveralLinesEndsWithADot() {
    var conversation = Conversation.showing(Samples.network, isInteractive: false)
    let prompt = conversation.answer("open", "").prompt
    #expect(prompt?.text == "Notes (a line with only a dot ends) (optional): ")
    #expect(conversation.answer("one", "", " two").prompt?.text == "> ")
    #expect(conversation.answer(".", "").delegation?.payload["notes"] == "one\n\n two")
  }

  @Test("Commands are not understood within a text of several lines, and the first line can be escaped")
  func laterLinesAreNoCommands() {
    var conversation = Conversation.showing(Samples.network, isInteractive: false)
    #expect(conversation.answer("open", "", "=q", "b", "!x", ".", "").delegation?.payload["notes"] == "q\nb\n!x")
  }

  @Test("The entries of a list are asked for line by line, and a wrong one is named")
  func entriesAreAskedForLineByLine() {
    var conversation = Conversation.showing(Samples.network, isInteractive: false)
    let effects = conversation.answer("open", "", "")
    #expect(effects.lines == ["Field 4 of 4", "One entry per line, such as ip=192.0.2.1 name=text, or a JSON object."])
    #expect(effects.prompt?.text == "Hosts (an empty line ends) (optional): ")
    #expect(
      conversation.answer("ip=192.0.2.1", "ip=here", "").lines.first?.hasPrefix("Error: Hosts, entry 2: IP address") == true)
    let delegation = conversation.answer("ip=192.0.2.1 name=\"a b\"", "{\"ip\": \"::1\"}", "").delegation
    #expect(delegation?.payload["hosts"] == [["ip": "192.0.2.1", "name": "a b"], ["ip": "::1"]])
  }

  @Test("A reason for an entry asks for its list again")
  func reasonForAnEntryAsksForTheList() {
    var conversation = Conversation.showing(Samples.network, isInteractive: false)
    _ = conversation.answer("open", "", "", "ip=192.0.2.1", "")
    let effects = conversation.handle(.refused(.refused(.invalidPayload(["hosts[0].ip": "is in use"]))))
    #expect(effects.lines.last == "Error: Hosts, entry 1: IP address is in use")
    #expect(effects.prompt?.text == "Hosts (an empty line ends) [ip=192.0.2.1]: ")
  }

  @Test("An empty line shows a secret while it is typed, if its flow allows that and a user answers")
  func emptyLineRevealsASecret() {
    var conversation = Conversation.showing(Samples.network)
    #expect(conversation.answer("wpa").prompt == Prompt("Passphrase (an empty line shows what is typed): ", isSecret: true))
    #expect(conversation.answer("").prompt == Prompt("Passphrase: "))
    let wrong = conversation.answer("short")
    #expect(wrong.lines == ["Error: Use 8 to 63 characters."])
    #expect(wrong.prompt == Prompt("Passphrase: "))
    #expect(conversation.answer("long enough").prompt?.text.hasPrefix("Cache") == true)
  }

  @Test("A choice is followed by what explains it, and a field by its example")
  func choiceHasItsSummary() {
    var conversation = Conversation(tree: "x", style: TextStyle(), isInteractive: true)
    let shown = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.network)))))
    #expect(shown.lines.contains("  2) WPA - With a passphrase"))
    #expect(conversation.answer("open").lines == ["Field 2 of 4", "Such as 16."])
  }

  @Test("A screen says once when it continues by itself")
  func countdownIsPrintedOnce() {
    var screen = Samples.note
    screen.until = Timestamp(microseconds: 13_000_000)
    var conversation = Conversation(tree: "x", style: TextStyle(), isInteractive: true)
    conversation.now = Timestamp(microseconds: 1_000_000)
    let shown = conversation.handle(.event(.window(Samples.window(1, Samples.presented(screen)))))
    #expect(shown.lines.contains("Continues by itself in 12 s."))
    #expect(conversation.answer("7").lines.contains { $0.contains("Continues") } == false)
    let lines = LinearRenderer(style: TextStyle()).lines(for: screen, now: Timestamp(microseconds: 0))
    #expect(lines.contains("Continues by itself in 13 s."))
  }

  @Test("The lines of a form say when a field is shown")
  func linesNameConditions() {
    let lines = LinearRenderer(style: TextStyle()).lines(for: Samples.network)
    #expect(lines.contains("  Passphrase: (secret) (only if Security is WPA)"))
    #expect(lines.contains("  Cache (MB):  (optional)"))
  }
}
