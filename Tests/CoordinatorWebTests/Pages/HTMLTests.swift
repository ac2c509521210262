import Testing

@testable import CoordinatorWeb

@Suite("The building of HTML", .timeLimit(.minutes(5)))
struct HTMLTests {
  @Test("Text is escaped in markup")
  func textIsEscapedInMarkup() {
    #expect(HTML(text: "<a href=\"x\">'&'</a>").markup == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
    #expect(HTML(text: "a\u{0}b\u{1b}c\u{7f}\td\r\n").markup == "a\u{FFFD}b&#27;c&#127;\td&#13;\n")
    #expect(HTML(text: "a\u{202E}b\u{2066}").markup == "ab")
    #expect(HTML(exactly: "a\u{202E}b").markup == "a\u{202E}b")
  }

  @Test("Elements, attributes and text are combined")
  func elementsAndAttributesAreCombined() {
    let html = tag("p", .id("a\"b"), .flag("hidden"), Attribute("title", nil), .flag("inert", false)) {
      "1 < 2"
      void("br")
      if true { tag("b") { "!" } }
      for word in ["x", "y"] { word }
    }
    #expect(html.markup == "<p id=\"a&quot;b\" hidden>1 &lt; 2<br><b>!</b>xy</p>")
  }
}
