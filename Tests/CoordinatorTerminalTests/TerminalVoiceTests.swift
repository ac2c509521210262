import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing
import Themes

@testable import CoordinatorTerminal

@Suite("What a terminal receives besides its screen", .timeLimit(.minutes(5)))
struct TerminalVoiceTests {
  private func abilities(_ environment: [String: String]) -> TerminalAbilities {
    TerminalAbilities(environment: environment, isUnicode: true)
  }

  private func frame(_ title: String = "", _ progress: Frame.Progress? = nil) -> Frame {
    var frame = Frame(Size(columns: 10, rows: 2))
    frame.title = title
    frame.progress = progress
    return frame
  }

  @Test(
    "is nothing where the terminal may not take it",
    arguments: ["linux", "linux-16color", "dumb", "vt220", "screen", "screen-256color", "ansi", "", "cons25"])
  func plainTerminals(name: String) {
    var voice = TerminalVoice(abilities(["TERM": name, "TERM_PROGRAM": "", "TMUX": ""]))
    #expect(voice.greeting + voice.farewell + voice.repaint.begin + voice.repaint.end == "")
    #expect(voice.news(of: frame("Title", .percent(3))) == "")
    voice.setFocus(false)
    #expect(voice.notification("Done", title: "x") == "")
  }

  @Test("is the title of the window, which is restored, once for each change")
  func title() {
    var voice = TerminalVoice(abilities(["TERM": "xterm-256color"]))
    #expect(voice.greeting == "\u{1B}[22;2t\u{1B}[?1004h")
    #expect(voice.news(of: frame("Pain\u{1B}\u{7}")) == "\u{1B}]2;Pain\u{1B}\\")
    #expect(voice.news(of: frame("Pain\u{1B}\u{7}")) == "")
    #expect(voice.farewell.hasSuffix("\u{1B}[23;2t") && voice.farewell.contains("\u{1B}[?1004l"))
    voice.forget()
    #expect(voice.news(of: frame("Pain")).contains("Pain"))
  }

  @Test("is progress where the terminal shows it")
  func progress() {
    var voice = TerminalVoice(abilities(["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"]))
    #expect(voice.news(of: frame("", .percent(45))) == "\u{1B}]9;4;1;45\u{1B}\\")
    #expect(voice.news(of: frame("", .unknown)) == "\u{1B}]9;4;3\u{1B}\\")
    #expect(voice.news(of: frame()) == "\u{1B}]9;4;0\u{1B}\\")
    #expect(voice.farewell.contains("\u{1B}]9;4;0\u{1B}\\"))
    var other = TerminalVoice(abilities(["TERM": "xterm"]))
    #expect(other.news(of: frame("", .percent(45))) == "")
  }

  @Test(
    "is a notification, in its own way, only while the terminal lacks the focus",
    arguments: [
      (["TERM": "foot"], "\u{1B}]777;notify;Shop, one;Done\u{1B}\\\u{7}"),
      (["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], "\u{1B}]9;Done\u{1B}\\\u{7}"), (["TERM": "xterm"], "\u{7}"),
      (["TERM": "tmux-256color", "TMUX": "x"], "\u{7}"),
    ])
  func notification(environment: [String: String], text: String) {
    var voice = TerminalVoice(abilities(environment))
    #expect(voice.notification("Done", title: "Shop; one").isEmpty)
    voice.setFocus(false)
    #expect(voice.notification("Done", title: "Shop; one") == text)
    voice.setFocus(true)
    #expect(voice.notification("Done", title: "Shop; one").isEmpty)
  }

  @Test("is a notification whose title ends where it does, whatever mark follows a semicolon")
  func semicolonBeforeMark() {
    var voice = TerminalVoice(abilities(["TERM": "foot"]))
    voice.setFocus(false)
    let sent = voice.notification("Done", title: "a;\u{301}b;\u{FE0F}c")
    #expect(Array(sent.utf8) == Array("\u{1B}]777;notify;a,\u{301}b,\u{FE0F}c;Done\u{1B}\\\u{7}".utf8))
  }

  @Test("is where the links are, and the cursor stays where it is")
  func links() {
    let markup = Markup("Read **this**: [the manual](https://example.org/a).")
    var display = Display.showing(Screen.message("m", title: "T", body: "", actions: []).with(markup))
    let frame = display.draw(in: Size(columns: 60, rows: 16))
    let text = TerminalVoice(abilities(["TERM": "xterm"])).links(of: frame)
    #expect(text.hasPrefix("\u{1B}7") && text.hasSuffix("\u{1B}8"))
    #expect(text.contains("\u{1B}]8;;https://example.org/a\u{1B}\\the manual\u{1B}]8;;\u{1B}\\"), "\(text.debugDescription)")
  }

  @Test("is that work is done, if it lasted for more than ten seconds")
  func work() {
    var watch = WorkWatch()
    func at(_ seconds: UInt64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
    #expect(watch.observe(Samples.installing, at: at(100)) == nil)
    #expect(watch.observe(Samples.installing, at: at(109)) == nil)
    #expect(watch.observe(Samples.home, at: at(109)) == nil)
    #expect(watch.observe(Samples.installing, at: at(200)) == nil)
    #expect(watch.observe(Samples.home, at: at(211)) == "Installing")
    #expect(watch.observe(Samples.home, at: at(300)) == nil)
  }

  @Test("names the screen and the product in the title of the window, and how far work is")
  func windowTitle() {
    var display = Display(tree: "pets_1", font: .unicode, product: "Happy Tails")
    _ = display.handle(.event(.window(Samples.window(1, Samples.presented(Samples.installing)))))
    let frame = display.draw(in: Size(columns: 60, rows: 16))
    #expect(frame.title == "45% – Installing – Happy Tails")
    #expect(frame.progress == .percent(45))
  }

  @Test(
    "has a tone of an accent that can be read on black and on white", arguments: ["#F5001C", "#ffee00", "#102080", "#3BB821"])
  func tone(accent: String) throws {
    let tone = try #require(RGBColor(accent)).tone
    #expect(tone.isLegible(on: [.black, .white], 4.5))
  }

  @Test("has the most similar color of 256")
  func cube() throws {
    #expect(try #require(RGBColor("#ff0000")).cubeNumber == 196)
    #expect(try #require(RGBColor("#005f87")).cubeNumber == 24)
  }

  @Test("consists of characters that the fonts of the Linux console have, whatever the program draws itself")
  func console() {
    let own = Set("│•()[]x!~»·█░▲▼|/-\\─┌┐└┘↑↓←→<>_ ")
    for screen in Samples.all where !screen.title.unicodeScalars.contains(where: { !$0.isASCII }) {
      var display = Display(tree: "t", font: .console)
      _ = display.handle(.event(.window(Samples.window(1, Samples.presented(screen)))))
      let frame = display.draw(in: Size(columns: 80, rows: 24))
      for character in frame.cells.lazy.compactMap(\.text.first) where !character.isASCII {
        #expect(own.contains(character) || character.isLetter || screen.says(character), "\(character) in \(screen.name)")
      }
    }
  }

  @Test("has empty fields that can be seen on the Linux console")
  func blanks() {
    var display = Display(tree: "t", font: .console)
    _ = display.handle(.event(.window(Samples.window(1, Samples.presented(Samples.logIn)))))
    #expect(display.draw(in: Size(columns: 80, rows: 24)).lines.contains { $0.contains("______") })
  }
}

extension Screen {
  /// Whether the flow itself contains a character.
  fileprivate func says(_ character: Character) -> Bool { "\(self)".contains(character) }
}
