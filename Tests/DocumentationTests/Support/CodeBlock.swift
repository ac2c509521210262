/// A fenced block of a Markdown document.
struct CodeBlock: Sendable, Hashable, CustomStringConvertible {
  /// The document.
  let document: String
  /// The number of its first line, counted from 1.
  let line: Int
  /// What stands behind the fence: `swift`.
  let language: String
  /// What stands between the fences.
  let text: IndentedText

  /// Where it stands, and what it says.
  var description: String { "\(document):\(line):\n\(text)" }

  /// The blocks of a document, from the top.
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
