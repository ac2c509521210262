/// A fenced block of a Markdown document.
struct CodeBlock: Sendable, Hashable, CustomStringConvertible {
  /// The document.
  let document: String
  /// The number of the first line, counted from 1.
  let line: Int
  /// The word after the fence: `swift`.
  let language: String
  /// The lines between the fences.
  let text: IndentedText

  /// The place and the text of the block.
  var description: String { "\(document):\(line):\n\(text)" }

  /// Returns the blocks of a document in order.
  static func blocks(of document: String, lines: [Substring]) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (line: Int, language: String)?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let (first, language) = open {
        let text = IndentedText(lines[first..<index])
        blocks.append(CodeBlock(document: document, line: first + 1, language: language, text: text))
        open = nil
      } else {
        open = (index + 1, String(line.drop { $0 == "`" }))
      }
    }
    return blocks
  }
}
