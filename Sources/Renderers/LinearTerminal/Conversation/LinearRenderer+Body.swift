import CoordinatorKit
import RendererKit

/// What a screen says, as lines.
extension LinearRenderer {
  /// Returns the place in the sequence of steps, the body, the answers under review, and what is known of the picture;
  /// separated by empty lines.
  func body(of screen: Screen) -> [String] {
    var parts: [[String]] = []
    if let step = screen.step { parts.append([step.readable]) }
    if let markup = screen.markup {
      parts.append(lines(of: markup))
    } else if !screen.body.isEmpty {
      parts.append(screen.body.printableLines)
    }
    parts.append(screen.review.flatMap(lines(of:)))
    parts.append(screen.picture.map(lines(of:)) ?? [])
    return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
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
  private func lines(of row: ReviewRow) -> [String] {
    let values = row.value.isEmpty ? [dash] : row.value.printableLines
    return [Text("{label}: {text}", ["label": row.title.printable, "text": values[0]]).string]
      + values.dropFirst().map { "  " + $0 }
  }

  private func lines(of picture: Picture) -> [String] {
    switch picture {
    case .image(_, let description): ["[\(description.printable)]"]
    case .code(let text):
      [Text("QR code: {text}", ["text": text.printableLines.first ?? ""]).string] + text.printableLines.dropFirst()
    }
  }
}
