import Languages
import Platform

/// A text with a little structure: paragraphs, bullets, and verbatim lines, with strong text, code, and links.
///
/// ```swift
/// .message("done", title: "Done").with(Markup("Log in as **ada**.\n\n- See the [manual](https://example.org)."))
/// ```
public struct Markup: Sendable, Hashable {
  /// A part of the text that takes up separate lines.
  public struct Block: Sendable, Hashable {
    /// How a block is drawn; the raw values are the words of the contract.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A paragraph, which is wrapped at the width of the screen.
      case paragraph
      /// An item of a list with bullets.
      case bullet
      /// A line that is shown as it is, in letters of equal width.
      case verbatim
    }

    /// How it is drawn.
    public var kind: Kind
    /// Its text, in order.
    public var spans: [Span]

    /// Creates a block.
    public init(_ kind: Kind, _ spans: [Span]) {
      self.kind = kind
      self.spans = spans
    }
  }

  /// A part of a line.
  public struct Span: Sendable, Hashable {
    /// How a span is drawn; the raw values are the words of the contract.
    public enum Style: String, Sendable, Hashable, CaseIterable {
      /// Emphasised.
      case strong
      /// Something to type or to read letter by letter, such as a command.
      case code
    }

    /// The text.
    public var text: String
    /// How it is drawn; nil for plain text.
    public var style: Style?
    /// The address that it links to, which begins with `https://`, `http://` or `mailto:`; nil for none.
    public private(set) var link: String?

    /// Creates a span. A link to any other kind of address is dropped.
    public init(_ text: String, _ style: Style? = nil, link: String? = nil) {
      self.text = text
      self.style = style
      self.link = link.flatMap { Markup.isSafe(link: $0) ? $0 : nil }
    }
  }

  /// The blocks, in order.
  public var blocks: [Block]

  /// Creates a text from its blocks.
  public init(blocks: [Block]) { self.blocks = blocks }

  /// The text without its structure, for renderers that do not draw it: bullets begin with "- ", and an address follows
  /// its link in parentheses.
  public var plain: String {
    var lines = ""
    var last: Block.Kind?
    for block in blocks {
      if let last { lines += last == block.kind && block.kind == .bullet ? "\n" : "\n\n" }
      lines += block.kind == .bullet ? "- " : ""
      for span in block.spans {
        lines += span.text
        if let link = span.link, link != span.text { lines += " (\(link))" }
      }
      last = block.kind
    }
    return lines
  }
}

extension Markup {
  /// Reads a small subset of Markdown: `**strong**`, code between backticks, `[text](address)`, lines that begin with
  /// `- `, fenced verbatim lines, and empty lines between paragraphs. Anything else is text.
  ///
  /// Only marks in the text itself count: inserted values, such as names from users or devices, are shown unchanged.
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

  /// Returns the text between two marks at the beginning of a text, and the rest; nil if the text does not begin so.
  private static func enclosed(
    _ text: Substring, _ open: String, _ close: String
  ) -> (inner: Substring, after: Substring)? {
    guard let (inner, after) = text.bytes.dropping(prefix: open)?.bytes.cut(at: close), !inner.isEmpty else { return nil }
    return (inner, after)
  }

  /// Returns whether an address is safe to link to. Other addresses could run scripts or open files.
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
  /// Returns the span with values inserted into its text. Its address has no placeholders.
  fileprivate func inserting(_ insert: (String) -> String) -> Markup.Span { Markup.Span(insert(text), style, link: link) }
}
