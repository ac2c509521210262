import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("A screen in linear mode", .timeLimit(.minutes(5)))
struct LinearRendererTests {
  private func lines(_ screen: Screen, unicode: Bool = false, ids: Bool = false) -> [String] {
    LinearRenderer(style: TextStyle(isUnicode: unicode), showsIDs: ids).lines(for: screen)
  }

  @Test("A message has a heading, a body and numbered choices")
  func messageHasHeadingBodyAndChoices() {
    #expect(lines(Samples.note) == ["Home", "Welcome.", "All is well.", "", "  1) Go on"])
  }

  @Test("A list numbers its items and then its actions")
  func listNumbersItemsThenActions() {
    #expect(
      lines(Samples.list) == ["Products", "", "  1) Lamp - bright", "  2) Desk", "  3) Check out"])
  }

  @Test("Lines outside ASCII are drawn if the terminal supports Unicode")
  func unicodeLinesAreDrawnWhereSupported() {
    #expect(lines(Samples.list, unicode: true)[2] == "  1) Lamp – bright")
  }

  @Test("The ids to send are shown on request")
  func idsAreShownOnRequest() {
    #expect(
      lines(Samples.list, ids: true)[2...] == ["  1) Lamp - bright  [lamp]", "  2) Desk  [desk]", "  3) Check out  [check-out]"])
  }

  @Test("A form shows the values of its fields, but no secret")
  func formShowsItsValuesButNoSecret() {
    #expect(lines(Samples.logIn).contains("  Name: demo"))
    #expect(lines(Samples.logIn).contains("  Password: (secret)"))
  }

  @Test("A form shows what was typed and not sent, but no secret")
  func draftIsShownButNoSecret() {
    let lines = LinearRenderer(style: TextStyle()).lines(for: Samples.logIn, draft: ["username": "ada", "password": "never"])
    #expect(lines.contains("  Name: ada (typed, not sent)"))
    #expect(!lines.joined().contains("never"))
  }

  @Test("A message shows its level and the field that it concerns")
  func messagesShowTheirLevelAndField() {
    var screen = Samples.logIn
    screen.messages = [
      .error("a", "Taken.", field: "username"), .warning("b", "Careful."), .info("c", "By the way."),
    ]
    #expect(lines(screen)[2...4] == ["Error: Name: Taken.", "Warning: Careful.", "Note: By the way."])
  }

  @Test("Progress is a number that can be read aloud, or a text if its end is unknown")
  func progressIsANumber() {
    let renderer = LinearRenderer(style: TextStyle())
    #expect(renderer.line(for: Progress(fraction: 0.25, text: "Copying")) == "25% Copying")
    #expect(renderer.line(for: Progress(fraction: 1)) == "100%")
    #expect(renderer.line(for: Progress()) == "Working")
  }

  @Test("The numbers of a long list are aligned")
  func numbersOfALongListAreAligned() {
    let long = Screen("x", kind: .list, title: "X", items: (1...10).map { Item("\($0)", Text(verbatim: "Item \($0)")) })
    #expect(lines(long).contains("   9) Item 9"))
    #expect(lines(long).contains("  10) Item 10"))
  }

  @Test("A screen contains no control characters, whatever its flow sends")
  func screenContainsNoControlCharacters() {
    let evil = "a\u{1B}[2Jb\u{7}\rc\u{9B}\u{202E}d\u{2028}e"
    let screen = Screen(
      "x", kind: .list, title: evil, body: evil, actions: [Action("a", verbatim: evil)],
      items: [Item("i", verbatim: evil, subtitle: evil)],
      messages: [.info("c", Text(verbatim: evil))], progress: Progress(text: Text(verbatim: evil)))
    let text = lines(screen, ids: true).joined()
    #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" || $0 == "\u{2028}" })
    #expect(text.contains("a[2Jbcde"))
  }

  @Test("Colors are used on request only")
  func colorsAreUsedOnRequestOnly() {
    let coloured = LinearRenderer(style: TextStyle(isColoured: true)).lines(for: Samples.note)
    #expect(coloured[0] == "\u{1B}[1mHome\u{1B}[0m")
    #expect(!lines(Samples.note).joined().contains("\u{1B}"))
  }

  @Test("Escape sequences in the entries of a list, whether they are values, typed or offered, do not reach the terminal")
  func entriesAreShownWithoutEscapes() throws {
    let entry = Schema.object(Field("label", .string(title: "Label")))
    let form = Form(Field("labels", .array(of: entry, title: "Labels")))
    let entries: JSONValue = [["label": "\u{1B}]52;c;cm0gLXJm\u{7}"], ["label": "\u{9B}31mred"]]
    let screen = Screen(
      "f", kind: .form, title: "F", actions: [.primary("send", "Send")], form: form, values: ["labels": entries])
    let valueLines = lines(screen)
    let draftLines = LinearRenderer(style: TextStyle()).lines(for: screen, draft: ["labels": entries])
    var conversation = Conversation(tree: "x", style: TextStyle(), isInteractive: false)
    let effects = conversation.handle(.event(.window(Samples.window(1, Samples.presented(screen)))))
    let prompt = try #require(effects.prompt)
    for text in valueLines + draftLines + effects.lines + [prompt.text] {
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(text.debugDescription)")
    }
    #expect(valueLines.contains { $0.contains("]52;c;cm0gLXJm") } && draftLines.contains { $0.contains("]52;c;cm0gLXJm") })
    #expect(prompt.text.contains("]52;c;cm0gLXJm"), "\(prompt.text)")
  }
}
