import CoordinatorKit
import Testing

@Suite("Markup", .timeLimit(.minutes(5)))
struct MarkupTests {
  @Test("Paragraphs, bullets, verbatim lines, strong text, code and links are read")
  func subsetIsRead() {
    let markup = Markup(
      "Log in as **ada**\nwith `ssh`.\n\n- See [the manual](https://example.org).\n- Two\n```\nls  **-l**\n```\nEnd")
    #expect(
      markup.blocks == [
        .init(.paragraph, [.init("Log in as "), .init("ada", .strong), .init(" with "), .init("ssh", .code), .init(".")]),
        .init(.bullet, [.init("See "), .init("the manual", link: "https://example.org"), .init(".")]),
        .init(.bullet, [.init("Two")]),
        .init(.verbatim, [.init("ls  **-l**")]),
        .init(.paragraph, [.init("End")]),
      ])
  }

  @Test("The plain form says the same without structure")
  func plainForm() {
    let markup = Markup("Log in as **ada**.\n\n- See [the manual](https://example.org).\n- Two\n\nEnd")
    #expect(markup.plain == "Log in as ada.\n\n- See the manual (https://example.org).\n- Two\n\nEnd")
  }

  @Test(
    "Marks that do not fit together are text",
    arguments: ["**", "****", "a ** b", "[a](", "[a]()", "`", "``", "[x](javascript:alert(1))"])
  func brokenMarksAreText(text: String) {
    #expect(Markup(Text(verbatim: text)).blocks == [.init(.paragraph, [.init(text)])])
  }

  @Test("Only addresses of pages and of mail are linked to")
  func linksAreSafe() {
    #expect(Markup.isSafe(link: "HTTPS://example.org"))
    #expect(Markup.isSafe(link: "mailto:ada@example.org"))
    #expect(Markup.isSafe(link: "file:///etc/passwd") == false)
    #expect(Markup.isSafe(link: "https://a b") == false)
  }

  @Test("An unterminated verbatim block ends with the text")
  func unterminatedBlock() {
    #expect(Markup("```\na").blocks == [.init(.verbatim, [.init("a")])])
    #expect(Markup("").blocks == [])
  }

  @Test("Lines that end with CR LF are read as those that end with a line feed")
  func carriageReturnsAreRead() {
    let text =
      "Log in as **ada**\nwith `ssh`.\n\n- See [the manual](https://example.org).\n- Two\n```\nls  **-l**\nid\n```\nEnd"
    let windows = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    #expect(windows.unicodeScalars.contains("\r"))
    let blocks = Markup(Text(verbatim: windows)).blocks
    #expect(blocks == Markup(Text(verbatim: text)).blocks)
    #expect(blocks.count == 5)
  }

  @Test("Marks of the markup are seen also if a combining mark follows them")
  func combiningMarksHideNothing() {
    #expect(
      Markup("**\u{301}a** `\u{301}b`\n- \u{301}c\n```\u{301}\nd\n```\u{FE0F}").blocks == [
        .init(.paragraph, [.init("\u{301}a", .strong), .init(" "), .init("\u{301}b", .code)]),
        .init(.bullet, [.init("\u{301}c")]), .init(.verbatim, [.init("d")]),
      ])
  }
}
