import Languages

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
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = verbatim {
        guard line.hasPrefix("```") else {
          verbatim?.append(line)
          continue
        }
        blocks.append(Block(.verbatim, [Span(lines.joined(separator: "\n"))]))
        verbatim = nil
      } else if line.hasPrefix("```") {
        endParagraph()
        verbatim = []
      } else if line.hasPrefix("- ") {
        endParagraph()
        blocks.append(Block(.bullet, Self.spans(in: String(line.dropFirst(2)))))
      } else if line.allSatisfy(\.isWhitespace) {
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
    while let first = rest.first {
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
        plain.append(first)
        rest = rest.dropFirst()
      }
    }
    if !plain.isEmpty { spans.append(Span(plain)) }
    return spans
  }

  /// Returns what stands between two marks at the beginning of a text, and what follows; nil if it does not begin so.
  private static func enclosed(
    _ text: Substring, _ open: String, _ close: String
  ) -> (inner: Substring, after: Substring)? {
    guard text.hasPrefix(open) else { return nil }
    let inner = text.dropFirst(open.count)
    var end = inner.startIndex
    while end < inner.endIndex {
      if inner[end...].hasPrefix(close) {
        return end == inner.startIndex ? nil : (inner[..<end], inner[end...].dropFirst(close.count))
      }
      end = inner.index(after: end)
    }
    return nil
  }

  /// Returns whether an address may be linked to. Others could run scripts or open files.
  ///
  /// - Parameter address: the address.
  /// - Returns: whether it begins with `https://`, `http://` or `mailto:`.
  public static func isSafe(link address: some StringProtocol) -> Bool {
    let address = address.lowercased()
    return ["https://", "http://", "mailto:"].contains { address.hasPrefix($0) } && !address.contains { $0.isWhitespace }
  }
}

extension Markup.Span {
  /// Returns the span with values in its text. Its address has none.
  fileprivate func inserting(_ insert: (String) -> String) -> Markup.Span { Markup.Span(insert(text), style, link: link) }
}
