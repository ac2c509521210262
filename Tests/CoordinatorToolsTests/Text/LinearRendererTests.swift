import CoordinatorKit
import Testing

@testable import CoordinatorTools

@Suite("A screen in lines")
struct LinearRendererTests {
  private func lines(_ screen: Screen, unicode: Bool = false, ids: Bool = false) -> [String] {
    LinearRenderer(style: TextStyle(isUnicode: unicode), showsIDs: ids).lines(for: screen)
  }

  @Test("has a heading, a body and numbered choices")
  func message() {
    #expect(lines(Samples.note) == ["Home", "----", "Welcome.", "All is well.", "", "  1) Go on"])
  }

  @Test("numbers items and then actions")
  func list() {
    #expect(
      lines(Samples.list) == ["Products", "--------", "", "  1) Lamp - bright", "  2) Desk", "  3) Check out"])
  }

  @Test("is drawn with lines outside ASCII if the terminal knows them")
  func unicode() {
    #expect(lines(Samples.note, unicode: true)[1] == "────")
    #expect(lines(Samples.list, unicode: true)[3] == "  1) Lamp – bright")
  }

  @Test("shows what to send to who asks for it")
  func ids() {
    #expect(
      lines(Samples.list, ids: true)[3...] == ["  1) Lamp - bright  [lamp]", "  2) Desk  [desk]", "  3) Check out  [check-out]"])
  }

  @Test("shows the fields of a form with what is filled in, and never a secret")
  func form() {
    #expect(lines(Samples.logIn).contains("  Name: demo"))
    #expect(lines(Samples.logIn).contains("  Password: (secret)"))
  }

  @Test("shows what somebody has typed into a form and not sent, and never a secret")
  func drafts() {
    let lines = LinearRenderer(style: TextStyle()).lines(for: Samples.logIn, draft: ["username": "ada", "password": "never"])
    #expect(lines.contains("  Name: ada (typed, not sent)"))
    #expect(!lines.joined().contains("never"))
  }

  @Test("says what kind of message it shows, and which field it is about")
  func messages() {
    var screen = Samples.logIn
    screen.messages = [
      .error("a", "Taken.", field: "username"), .warning("b", "Careful."), .info("c", "By the way."),
    ]
    #expect(lines(screen)[3...5] == ["Error: Name: Taken.", "Warning: Careful.", "Note: By the way."])
  }

  @Test("shows how far work has come")
  func progress() {
    let renderer = LinearRenderer(style: TextStyle())
    #expect(renderer.line(for: Progress(fraction: 0.25, text: "Copying")) == "[#####...............] 25% Copying")
    #expect(renderer.line(for: Progress(fraction: 1)) == "[####################] 100%")
    #expect(renderer.line(for: Progress()) == "Working...")
  }

  @Test("aligns the numbers of a long list")
  func alignment() {
    let long = Screen("x", kind: .list, title: "X", items: (1...10).map { Item("\($0)", "Item \($0)") })
    #expect(lines(long).contains("   9) Item 9"))
    #expect(lines(long).contains("  10) Item 10"))
  }

  @Test("cannot move the cursor, whatever a flow puts into it")
  func hostile() {
    let evil = "a\u{1B}[2Jb\u{7}\rc\u{9B}\u{202E}d\u{2028}e"
    let screen = Screen(
      "x", kind: .list, title: evil, body: evil, actions: [Action("a", evil)], items: [Item("i", evil, subtitle: evil)],
      messages: [.info("c", evil)], progress: Progress(text: evil))
    let text = lines(screen, ids: true).joined()
    #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" || $0 == "\u{2028}" })
    #expect(text.contains("a[2Jbcde"))
  }

  @Test("has colours only where they are wanted")
  func colours() {
    let coloured = LinearRenderer(style: TextStyle(isColoured: true)).lines(for: Samples.note)
    #expect(coloured[0] == "\u{1B}[1mHome\u{1B}[0m")
    #expect(!lines(Samples.note).joined().contains("\u{1B}"))
  }
}
