import CoordinatorKit
import Languages
import RendererKit

/// Draws lists.
extension ScreenView {
  mutating func appendRows(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    guard var list = rows.list else { return }
    let several = rows.several
    let isFocused = drawing.isActive && stop == .list
    // The rows that remain for the list.
    let buttons = screen.actions.isEmpty ? 0 : notes(drawing).count + (spaced ? 2 : 1)
    let room = drawing.size.rows - page.rows - buttons - (spaced ? 1 : 0)
    let hasFilter = !list.filter.isEmpty || list.items.count > 5
    var lines: [Line] = several.map { drawing.wrapped($0.status, .quiet) } ?? []
    let filter = FilterLine(list, drawing)
    let cursor = Position(column: filter.cursor, row: lines.count)
    if hasFilter { lines.append(filter.line) }
    if !lines.isEmpty { lines.append(.blank) }
    let header = lines.count
    // Texts that do not fit into their rows appear below all rows, in as many lines as any row needs, so that nothing moves
    // with the focus.
    let whole = ListRow.wholeLines(list, drawing, isSeveral: several != nil, room: room - header)
    let visible = max(room - header - whole, spaced ? min(list.rows.count, 5) : 3)
    settleList(page: visible)
    list = rows.list ?? list
    var focus = 0..<1
    let places = list.rows.indices.dropFirst(list.top).prefix(visible)
    for place in places {
      switch list.rows[place] {
      case .heading(let title):
        lines.append(Line(title.printable.truncated(to: drawing.columns, ellipsis: drawing.symbols.ellipsis), .strong))
      case .item(let match):
        let isHere = isFocused && match == list.selection
        if isHere { focus = lines.count..<lines.count + 1 }
        lines.append(ListRow(list, match, several, drawing, isFocused: isHere).line)
      }
    }
    // While the list is still being loaded, its absence of rows is not reported.
    if list.matches.isEmpty, !(list.items.isEmpty && screen.progress != nil) {
      lines += drawing.wrapped(
        list.items.isEmpty ? Text("There is nothing here.").string : Self.nothingMatches, .quiet, indent: 2)
    }
    let isMore = (above: list.top > 0, below: (places.last ?? 0) + 1 < list.rows.count)
    mark(&lines, from: header, isMore, drawing)
    if whole > 0, !list.matches.isEmpty {
      let text = ListRow.whole(list, drawing, lines: whole - 1)
      lines += [.blank] + text + Array(repeating: .blank, count: max(whole - 1 - text.count, 0))
    }
    page.append(lines, spaced: spaced)
    let shift = page.middle.count - lines.count
    if isFocused { page.focus = focus.lowerBound + shift..<focus.upperBound + shift }
    if isFocused {
      page.isTyping = hasFilter && (list.isFiltering || list.matches.isEmpty)
      page.cursor =
        page.isTyping
        ? Position(column: cursor.column, row: cursor.row + shift) : Position(column: 0, row: focus.lowerBound + shift)
    }
  }

  /// The message if no row matches the typed text.
  static var nothingMatches: String { Text("Nothing matches. Press Esc to show all rows.").string }

  /// Marks at the edge that there are more rows.
  private func mark(_ lines: inout [Line], from first: Int, _ isMore: (above: Bool, below: Bool), _ drawing: Drawing) {
    func mark(_ index: Int, _ sign: String) {
      guard lines.indices.contains(index) else { return }
      let gap = drawing.columns - lines[index].columns - sign.columns
      guard gap >= 0 else { return }
      lines[index].spans.append(Span(String(repeating: " ", count: gap) + sign, .quiet))
    }
    if isMore.above { mark(first, drawing.symbols.more.above) }
    if isMore.below, lines.count - 1 > first || !isMore.above { mark(lines.count - 1, drawing.symbols.more.below) }
  }
}

/// The line above the rows of a list: the text of the filter, and the number of rows.
struct FilterLine: Sendable, Hashable {
  let line: Line
  /// The column of the cursor, after the typed text.
  let cursor: Int

  init(_ list: ListBrowser, _ drawing: Drawing) {
    self.init(list.filter, list.found, drawing, columns: drawing.columns)
  }

  init(_ filter: TextEditor, _ found: RowMatches, _ drawing: Drawing, columns: Int) {
    let isFiltered = !filter.isEmpty
    let count = isFiltered ? found.count : DecimalNumber.text(of: found.total)
    let sign = "/ "
    let room = max(columns - sign.columns - count.columns - 2, 0)
    let text =
      isFiltered ? filter.window(columns: room + 1, mask: "").before : Text("type to filter").string.prefix(columns: room)
    cursor = sign.columns + min(isFiltered ? text.columns : 0, room)
    line = Line([
      Span(sign, drawing.focused), Span(text.padded(to: room + 1), isFiltered ? .plain : .quiet),
      Span(count.prefix(columns: columns), .quiet),
    ])
  }
}
