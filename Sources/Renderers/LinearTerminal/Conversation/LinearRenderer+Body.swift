import CoordinatorKit
import RendererKit

/// What a screen says, as lines.
extension LinearRenderer {
  /// Returns the body.
  func text(of screen: Screen) -> [String] {
    screen.markup.map(lines(of:)) ?? (screen.body.isEmpty ? [] : screen.body.printableLines)
  }

  private func lines(of markup: Markup) -> [String] {
    var lines: [String] = []
    var last: Markup.Block.Kind?
    for block in markup.blocks {
      if let last, last != .bullet || block.kind != .bullet { lines.append("") }
      switch block.kind {
      case .paragraph: lines.append(line(of: block))
      case .bullet: lines.append("- " + line(of: block))
      case .verbatim: lines += block.verbatimLines.map { "    " + $0 }
      }
      last = block.kind
    }
    return lines
  }

  private func line(of block: Markup.Block) -> String {
    block.pieces.map { piece in
      guard piece.kind == .strong else { return piece.text }
      return style.isColoured ? style.strong(piece.text) : "*\(piece.text)*"
    }.joined()
  }

  /// Returns the lines of an answer under review. Of several lines, the others are below the first.
  func lines(of row: ReviewRow) -> [String] {
    let values = row.value.isEmpty ? [dash] : row.value.printableLines
    return [Text("{label}: {text}", ["label": row.title.printable, "text": values[0]]).string]
      + values.dropFirst().map { "  " + $0 }
  }

  func lines(of picture: Picture) -> [String] {
    switch picture {
    case .image(_, let description): ["[\(description.printable)]"]
    case .code(let text):
      [Text("QR code: {text}", ["text": text.printableLines.first ?? ""]).string] + text.printableLines.dropFirst()
    }
  }
}
