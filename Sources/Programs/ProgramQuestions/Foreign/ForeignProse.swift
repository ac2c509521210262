import CoordinatorKit
import Platform

/// A text of another program with its structure: paragraphs, bullets and verbatim lines, as in package descriptions and debconf
/// templates.
///
/// An empty line ends a paragraph, a line that begins with a blank is verbatim, and a line that begins with blanks and `*` or
/// `-` is a bullet. Anything else, such as HTML or Markdown, is text.
package struct ForeignProse: Sendable, Hashable {
  /// A part of the text that consists of whole lines.
  package struct Block: Sendable, Hashable {
    package var kind: Markup.Block.Kind
    package var text: String
    package var isStrong: Bool

    package init(_ kind: Markup.Block.Kind, _ text: String, isStrong: Bool = false) {
      (self.kind, self.text, self.isStrong) = (kind, text, isStrong)
    }
  }

  /// The blocks, in order.
  package private(set) var blocks: [Block] = []

  package init(blocks: [Block]) { self.blocks = blocks }

  /// Reads a text.
  package init(_ text: String) {
    for group in ForeignText(text).lines.split(whereSeparator: { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) }) {
      // A program sends a paragraph as one line. Several lines in a row, such as a diff, must stay separate lines.
      let isProse = zip(group, group.dropFirst()).allSatisfy { Self.isIndented($0) || Self.isIndented($1) }
      guard isProse else {
        blocks.append(Block(.verbatim, group.joined(separator: "\n")))
        continue
      }
      var indented: [String] = []
      for line in group {
        if Self.isIndented(line) {
          indented.append(line)
        } else {
          blocks += Self.blocks(ofIndented: indented) + [Block(.paragraph, line)]
          indented = []
        }
      }
      blocks += Self.blocks(ofIndented: indented)
    }
  }

  private static func isIndented(_ line: String) -> Bool { line.bytes.hasPrefix(" ") || line.bytes.hasPrefix("\t") }

  /// Returns the blocks of indented lines: bullets, if the first line is one, otherwise verbatim.
  private static func blocks(ofIndented lines: [String]) -> [Block] {
    guard !lines.isEmpty else { return [] }
    guard lines.first.flatMap(bullet) != nil else { return [Block(.verbatim, lines.joined(separator: "\n"))] }
    var blocks: [Block] = []
    for line in lines {
      if let text = bullet(line) {
        blocks.append(Block(.bullet, text))
      } else {
        blocks[blocks.count - 1].text += " " + unindented(line)
      }
    }
    return blocks
  }

  private static func bullet(_ line: String) -> String? {
    let text = unindented(line)
    return (text.bytes.dropping(prefix: "* ") ?? text.bytes.dropping(prefix: "- ")).map { unindented(String($0)) }
  }

  private static func unindented(_ line: String) -> String {
    String(line.unicodeScalars.drop(while: \.properties.isWhitespace))
  }

  /// The text as a screen has it.
  package var markup: Markup {
    Markup(blocks: blocks.map { Markup.Block($0.kind, [Markup.Span($0.text, $0.isStrong ? .strong : nil)]) })
  }

  /// The text without its structure, for renderers that do not draw it.
  package var plain: String { markup.plain }
}
