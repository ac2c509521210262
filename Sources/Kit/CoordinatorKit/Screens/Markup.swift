/// A text with a little structure: paragraphs, bullets, and verbatim lines, with strong text, code, and links.
///
/// ```swift
/// .message("done", title: "Done").with(Markup("Log in as **ada**.\n\n- See the [manual](https://example.org)."))
/// ```
public struct Markup: Sendable, Hashable {
  /// A part of the text that stands on lines of its own.
  public struct Block: Sendable, Hashable {
    /// How a block is drawn; the raw values are the words of the contract.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      case paragraph, bullet, verbatim
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
      case strong, code
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
