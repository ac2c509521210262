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
      codeLines(drawing, rows: rows)
        + text.printableLines.flatMap { drawing.broken($0, .plain) }
    }
  }
}

extension ScreenView {
  /// Returns the QR code, or what the user can do to see it.
  private func codeLines(_ drawing: Drawing, rows: Int) -> [Line] {
    guard let code else { return [] }
    let lines = drawing.lines(of: code, rows: rows)
    guard lines.isEmpty, drawing.symbols.hasBlocks else { return lines }
    return drawing.wrapped(Text("In a larger window, this is a QR code.").string, .quiet)
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

/// A row of a list, as it is drawn: on one line, with the parts that match the filter marked.
struct ListRow: Sendable {
  /// The maximum number of lines for the full text of the focused row, besides a blank one.
  private static let mostLines = 3
  /// The number of columns that stay free at the right, for the marks of further rows.
  private static let edge = 2

  let line: Line

  /// Draws a row: both texts in columns if there is room for all titles, otherwise the second one after the first, each as far
  /// as it fits.
  init(_ list: ListBrowser, _ place: Int, _ several: SeveralChoice?, _ drawing: Drawing, isFocused: Bool) {
    let index = list.matches[place]
    let item = list.items[index]
    let pointer = isFocused ? drawing.symbols.pointer + " " : String(repeating: " ", count: drawing.symbols.pointer.columns + 1)
    let box = several.map { ($0.contains(item.id) ? drawing.symbols.check.on : drawing.symbols.check.off) + " " } ?? ""
    let room = max(drawing.columns - pointer.columns - box.columns - Self.edge, 0)
    let (title, subtitle) = (item.title.printable, (item.readableSubtitle ?? "").printable)
    let marks = list.filter.isEmpty ? nil : list.found.marks(title: title, subtitle: subtitle)
    let isBlocked = item.disabled != nil
    let look = isFocused ? (isBlocked ? drawing.focused.with(.dim) : drawing.focused) : isBlocked ? .quiet : .plain
    let target = Target.item(index)
    var spans = [Span(pointer, drawing.focused), Span(box, isBlocked ? .quiet : .plain)]
    let width = Self.titleColumns(list, room)
    let first = title.truncated(to: subtitle.isEmpty ? room : width ?? room, ellipsis: drawing.symbols.ellipsis)
    spans += first.spans(marking: marks?.title ?? [], look, drawing.mark(on: look), target)
    let gap = max((width ?? 0) - first.columns, 0) + 2
    let rest = room - first.columns - gap
    if !subtitle.isEmpty, rest >= min(subtitle.columns, 8) {
      let second = subtitle.truncated(to: rest, ellipsis: drawing.symbols.ellipsis)
      spans.append(Span(String(repeating: " ", count: gap), look, target: target))
      let quiet: Look = isFocused ? .plain : .quiet
      spans += second.spans(marking: marks?.subtitle ?? [], quiet, drawing.mark(on: quiet), target)
    }
    line = Line(spans)
  }

  /// Returns the width of the column of titles; nil if the rows have no columns.
  private static func titleColumns(_ list: ListBrowser, _ room: Int) -> Int? {
    guard list.columns.subtitle > 0 else { return nil }
    let isTabular = list.columns.title + 2 + list.columns.subtitle <= room
    return isTabular || list.columns.title <= room / 2 ? list.columns.title : nil
  }

  // MARK: The whole text

  /// Returns the number of lines below the rows for the full text of any of them, including a blank line before; 0 if all texts
  /// fit into their rows, or if there is no room.
  static func wholeLines(_ list: ListBrowser, _ drawing: Drawing, isSeveral: Bool, room: Int) -> Int {
    let box = isSeveral ? drawing.symbols.check.on.columns + 1 : 0
    let columns = drawing.columns - drawing.symbols.pointer.columns - 1 - box - edge
    let both = list.columns.subtitle > 0 ? list.columns.title + 2 + list.columns.subtitle : list.columns.title
    guard both > columns, columns > 0, room >= 8 else { return 0 }
    return 1 + min((both + columns - 1) / columns, mostLines, room / 4)
  }

  /// Returns the full text of the selected row.
  static func whole(_ list: ListBrowser, _ drawing: Drawing, lines: Int) -> [Line] {
    guard let item = list.chosen else { return [] }
    let (title, subtitle) = (item.title.printable, (item.readableSubtitle ?? "").printable)
    let lead = Span(String(repeating: " ", count: drawing.symbols.pointer.columns + 1))
    let texts = [Span(title, .strong), Span(subtitle.isEmpty ? "" : "  " + subtitle, .plain)].filter { !$0.text.isEmpty }
    var shown = texts.wrapped(to: max(drawing.columns - lead.text.columns - edge, 1)).map { $0.indented(lead) }
    if shown.count > lines, lines > 0 {
      shown = Array(shown.prefix(lines))
      shown[lines - 1].spans.append(Span(drawing.symbols.ellipsis, .plain))
    }
    return shown
  }
}

extension String {
  /// Returns spans of the text in which ranges of its characters have another look.
  func spans(marking ranges: [Range<Int>], _ look: Look, _ marked: Look, _ target: Target?) -> [Span] {
    guard !ranges.isEmpty else { return [Span(self, look, target: target)] }
    let characters = Array(self)
    var spans: [Span] = []
    var place = 0
    func append(_ range: Range<Int>, _ look: Look) {
      let range = range.clamped(to: 0..<characters.count)
      if !range.isEmpty { spans.append(Span(String(characters[range]), look, target: target)) }
    }
    for range in ranges {
      append(min(place, range.lowerBound)..<range.lowerBound, look)
      append(range, marked)
      place = range.upperBound
    }
    append(min(place, characters.count)..<characters.count, look)
    return spans
  }
}

extension Drawing {
  /// Returns the look of characters that match the typed text.
  func mark(on look: Look) -> Look {
    let isStrong = look.traits.contains(.bold)
    return Look(isStrong ? [.bold, .underlined] : .bold, colour: accent)
  }
}
