import Testing

@testable import RendererKit

@Suite("The style of text", .timeLimit(.minutes(5)))
struct TextStyleTests {
  @Test(
    "The style is Unicode if the locale is",
    arguments: [
      (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
      (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true),
      (["LANG": "de_DE@euro"], false), (["LANG": "ja_JP.eucJP"], false),
    ] as [([String: String], Bool)])
  func styleIsUnicodeIfTheLocaleIs(environment: [String: String], isUnicode: Bool) {
    #expect(TextStyle(environment: environment, isTerminal: false).isUnicode == isUnicode)
  }

  @Test("A terminal that supports colors has them unless NO_COLOR is set")
  func terminalHasColorsUnlessForbidden() {
    let xterm = ["TERM": "xterm-256color"]
    #expect(TextStyle(environment: xterm, isTerminal: true).isColoured)
    #expect(!TextStyle(environment: xterm, isTerminal: false).isColoured)
    #expect(!TextStyle(environment: ["TERM": "dumb"], isTerminal: true).isColoured)
    #expect(!TextStyle(environment: [:], isTerminal: true).isColoured)
    #expect(!TextStyle(environment: xterm.merging(["NO_COLOR": "1"]) { $1 }, isTerminal: true).isColoured)
    #expect(TextStyle(environment: xterm.merging(["NO_COLOR": ""]) { $1 }, isTerminal: true).isColoured)
  }
}
