import Languages
import Platform

extension Markup {
  /// Reads a small subset of Markdown: `**strong**`, code between backticks, `[text](address)`, lines that begin with
  /// `- `, fenced verbatim lines, and empty lines between paragraphs. Anything else is text.
  ///
  /// Marks count in the text only: values that are inserted into it, such as names from users or devices, are shown as
  /// they are.
  ///
  /// - Parameter text: the text, in the language in which screens are computed.
  public init(_ text: Text) {
    let (pattern, insert) = text.unexpanded(in: Translation.current)
    self.init(reading: pattern)
    for index in blocks.indices { blocks[index].spans = blocks[index].spans.map { $0.inserting(insert) } }
  }

  private init(reading text: String) {
    var blocks: [Block] = []
    var paragraph: [Substring] = []
    var verbatim: [Substring]?
    func endParagraph() {
      guard !paragraph.isEmpty else { return }
      blocks.append(Block(.paragraph, Self.spans(in: paragraph.joined(separator: " "))))
      paragraph = []
    }
    for line in text.bytes.replacing("\r\n", with: "\n").bytes.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = verbatim {
        guard line.bytes.hasPrefix("```") else {
          verbatim?.append(line)
          continue
        }
        blocks.append(Block(.verbatim, [Span(lines.joined(separator: "\n"))]))
        verbatim = nil
      } else if line.bytes.hasPrefix("```") {
        endParagraph()
        verbatim = []
      } else if let item = line.bytes.dropping(prefix: "- ") {
        endParagraph()
        blocks.append(Block(.bullet, Self.spans(in: String(item))))
      } else if line.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
        endParagraph()
      } else {
        paragraph.append(line)
      }
    }
    endParagraph()
    if let verbatim { blocks.append(Block(.verbatim, [Span(verbatim.joined(separator: "\n"))])) }
    self.init(blocks: blocks)
  }

  private static func spans(in text: String) -> [Span] {
    var spans: [Span] = []
    var plain = ""
    var rest = Substring(text)
    func add(_ span: Span) {
      if !plain.isEmpty { spans.append(Span(plain)) }
      plain = ""
      spans.append(span)
    }
    while let first = rest.unicodeScalars.first {
      if let (inner, after) = enclosed(rest, "**", "**") {
        add(Span(String(inner), .strong))
        rest = after
      } else if let (inner, after) = enclosed(rest, "`", "`") {
        add(Span(String(inner), .code))
        rest = after
      } else if let (inner, after) = enclosed(rest, "[", "]("), let (address, end) = enclosed(after, "", ")"),
        isSafe(link: address)
      {
        add(Span(String(inner), link: String(address)))
        rest = end
      } else {
        plain.unicodeScalars.append(first)
        rest = Substring(rest.unicodeScalars.dropFirst())
      }
    }
    if !plain.isEmpty { spans.append(Span(plain)) }
    return spans
  }

  /// Returns what stands between two marks at the beginning of a text, and what follows; nil if it does not begin so.
  private static func enclosed(
    _ text: Substring, _ open: String, _ close: String
  ) -> (inner: Substring, after: Substring)? {
    guard let (inner, after) = text.bytes.dropping(prefix: open)?.bytes.cut(at: close), !inner.isEmpty else { return nil }
    return (inner, after)
  }

  /// Returns whether an address may be linked to. Others could run scripts or open files.
  ///
  /// - Parameter address: the address.
  /// - Returns: whether it begins with `https://`, `http://` or `mailto:`.
  public static func isSafe(link address: some StringProtocol) -> Bool {
    let address = String(address)
    let lowercase = address.bytes.lowercased
    return ["https://", "http://", "mailto:"].contains { lowercase.bytes.hasPrefix($0) }
      && !address.unicodeScalars.contains(where: \.properties.isWhitespace)
  }
}

extension Markup.Span {
  /// Returns the span with values in its text. Its address has none.
  fileprivate func inserting(_ insert: (String) -> String) -> Markup.Span { Markup.Span(insert(text), style, link: link) }
}
