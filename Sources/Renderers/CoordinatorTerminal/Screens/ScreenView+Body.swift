import CoordinatorKit
import QRCodes
import RendererKit

/// Draws the text parts of a screen: its heading, its body, and its picture.
extension ScreenView {
  /// Returns the title, with the place in the sequence of steps at the end of its line, or below it.
  func heading(_ drawing: Drawing) -> [Line] {
    let title = drawing.wrapped(screen.title.printable, Look(.bold, colour: Look.Colour(accent: screen.accent)))
    guard let step = screen.step?.readable else { return Array(title.prefix(3)) }
    let gap = drawing.columns - (title.first?.columns ?? 0) - step.columns
    guard title.count == 1, gap >= 2 else { return Array(title.prefix(3)) + drawing.wrapped(step, .quiet) }
    return [Line(title[0].spans + [Span(String(repeating: " ", count: gap)), Span(step, .quiet)])]
  }

  /// Returns the lines of the body.
  func text(_ drawing: Drawing) -> [Line] {
    guard let markup = screen.markup else {
      return screen.body.isEmpty ? [] : screen.body.printableLines.flatMap { drawing.wrapped($0) }
    }
    var lines: [Line] = []
    var last: Markup.Block.Kind?
    for block in markup.blocks {
      if let last, last != .bullet || block.kind != .bullet { lines.append(.blank) }
      lines += drawing.lines(of: block)
      last = block.kind
    }
    return lines
  }

  /// Returns the lines of the picture: the description of an image, or a QR code with its text. If there is not enough room for
  /// the whole code, only the text is returned.
  ///
  /// - Parameters:
  ///   - drawing: context of the screen.
  ///   - rows: number of rows that can be seen at once.
  /// - Returns: the lines; none without a picture.
  func picture(_ drawing: Drawing, rows: Int) -> [Line] {
    switch screen.picture {
    case nil: []
    case .image(_, let description): drawing.wrapped("[\(description.printable)]", .quiet)
    case .code(let text):
      (code.map { drawing.lines(of: $0, rows: rows) } ?? [])
        + text.printableLines.flatMap { drawing.broken($0, .plain) }
    }
  }
}

extension Drawing {
  fileprivate func lines(of block: Markup.Block) -> [Line] {
    switch block.kind {
    case .verbatim: return block.verbatimLines.flatMap { broken($0, .plain, indent: 2) }
    case .paragraph: return block.pieces.map(Span.init).wrapped(to: columns)
    case .bullet:
      let sign = symbols.dot + " "
      return block.pieces.map(Span.init).wrapped(to: columns - sign.columns).enumerated().map { row, line in
        line.indented(Span(row == 0 ? sign : String(repeating: " ", count: sign.columns)))
      }
    }
  }

  /// Returns a line unchanged, broken only at the edge.
  func broken(_ text: String, _ look: Look, indent: Int = 0) -> [Line] {
    let lead = Span(String(repeating: " ", count: indent))
    var lines: [Line] = []
    var rest = text
    repeat {
      var row = rest.prefix(columns: max(columns - indent, 1))
      if row.isEmpty { row = String(rest.prefix(1)) }
      rest.removeFirst(row.count)
      lines.append(Line([lead, Span(row, look)]))
    } while !rest.isEmpty
    return lines
  }

  /// Returns the rows of a code, each of which shows two rows of modules; none if there is not enough room.
  fileprivate func lines(of code: QRCode, rows: Int) -> [Line] {
    // Readers need a margin; the standard asks for four modules.
    let margin = min((columns - code.size) / 2, rows - (code.size + 1) / 2, 4)
    guard symbols.hasBlocks, margin >= 2 else { return [] }
    let range = -margin..<code.size + margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let text = range.map { column in
        let isBelowLight = row + 1 >= range.upperBound || !code[row + 1, column]
        return symbols.block(upper: !code[row, column], lower: isBelowLight)
      }
      return Line(text.joined(), Look(colour: .paper))
    } + [.blank]
  }
}

extension Span {
  fileprivate init(_ piece: MarkupPiece) {
    let look: Look =
      switch piece.kind {
      case .plain, .address: .plain
      case .strong: .strong
      case .code: Look(colour: .cyan)
      case .link: Look(.underlined)
      }
    self.init(piece.text, look)
    link = piece.link
  }
}
