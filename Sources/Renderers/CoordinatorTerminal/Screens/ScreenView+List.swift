import CoordinatorKit
import RendererKit

/// The appearance of lists.
extension ScreenView {
  mutating func appendRows(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    guard var list else { return }
    let isFocused = drawing.isActive && stop == .list
    // The rows that remain for the list.
    let buttons = screen.actions.isEmpty ? 0 : notes(drawing).count + (spaced ? 2 : 1)
    let room = drawing.size.rows - page.rows - buttons - (spaced ? 1 : 0)
    let hasFilter = !list.filter.isEmpty || list.items.count > 5
    var lines: [Line] = several.map { drawing.wrapped($0.status, .quiet) } ?? []
    let cursor = Position(column: 2 + min(list.filter.text.columns, max(drawing.columns - 14, 0)), row: lines.count)
    if hasFilter { lines.append(filterLine(list, drawing)) }
    if !lines.isEmpty { lines.append(.blank) }
    let header = lines.count
    let rows = max(room - header, spaced ? min(list.rows.count, 5) : 3)
    let chosen = isFocused ? expanded(list, drawing) : []
    list.settle(page: max(rows - max(chosen.count - 1, 0), 1))
    var focus = 0..<1
    let places = list.rows.indices.dropFirst(list.top).prefix(max(rows - max(chosen.count - 1, 0), 1))
    for place in places {
      switch list.rows[place] {
      case .heading(let title):
        lines.append(Line(title.printable.truncated(to: drawing.columns, ellipsis: drawing.symbols.ellipsis), .strong))
      case .item(list.selection) where isFocused:
        focus = lines.count..<lines.count + chosen.count
        lines += chosen
      case .item(let match): lines.append(row(list, match, drawing))
      }
    }
    // While the list is still being loaded, its absence of rows is not reported.
    if list.matches.isEmpty, !(list.items.isEmpty && screen.progress != nil) {
      lines += drawing.wrapped(
        list.items.isEmpty ? Text("There is nothing here.").string : Text("Nothing matches.").string, .quiet, indent: 2)
    }
    let isMore = (above: list.top > 0, below: (places.last ?? 0) + 1 < list.rows.count)
    mark(&lines, from: header, isMore, drawing)
    page.append(lines, spaced: spaced)
    let shift = page.middle.count - lines.count
    if isFocused { page.focus = focus.lowerBound + shift..<focus.upperBound + shift }
    if isFocused {
      page.isTyping = hasFilter && (list.isFiltering || list.matches.isEmpty)
      page.cursor =
        page.isTyping
        ? Position(column: cursor.column, row: cursor.row + shift) : Position(column: 0, row: focus.lowerBound + shift)
    }
    self.list = list
  }

  private func filterLine(_ list: ListBrowser, _ drawing: Drawing) -> Line {
    let isFiltered = !list.filter.isEmpty
    let count =
      isFiltered
      ? "\(DecimalNumber.text(of: list.matches.count))/\(DecimalNumber.text(of: list.items.count))"
      : DecimalNumber.text(of: list.items.count)
    let room = max(drawing.columns - 14, 0)
    let text =
      isFiltered ? list.filter.window(columns: room + 1, mask: "").before : Text("type to filter").string.prefix(columns: room)
    let shown = Span(text.padded(to: drawing.columns - 2 - count.count - 1), isFiltered ? .plain : .quiet)
    return Line([Span("/ ", drawing.focused), shown, Span(count, .quiet)])
  }

  /// Returns the line of a row: both texts in columns if all rows fit that way, otherwise as much as fits.
  private func row(_ list: ListBrowser, _ place: Int, _ drawing: Drawing) -> Line {
    let index = list.matches[place]
    let item = list.items[index]
    let mark = mark(of: item, drawing)
    let room = drawing.columns - 4 - mark.text.columns
    let title = item.title.printable
    let look: Look = item.disabled == nil ? .plain : .quiet
    let subtitle = (item.readableSubtitle ?? "").printable
    if subtitle.isEmpty {
      let text = title.truncated(to: room, ellipsis: drawing.symbols.ellipsis)
      return Line([Span("  "), mark, Span(text, look, target: .item(index))])
    }
    let isTabular = isTabular(list, drawing)
    let first = isTabular ? title.padded(to: list.columns.title) : title.truncated(to: room, ellipsis: drawing.symbols.ellipsis)
    let rest = max(room - first.columns - 2, 0)
    let second = subtitle.columns <= rest || rest >= 8 ? subtitle.truncated(to: rest, ellipsis: drawing.symbols.ellipsis) : ""
    return Line([Span("  "), mark, Span(first + "  ", look, target: .item(index)), Span(second, .quiet, target: .item(index))])
  }

  /// Returns the selected row in full.
  private func expanded(_ list: ListBrowser, _ drawing: Drawing) -> [Line] {
    guard let item = list.chosen, let index = list.matches[safe: list.selection] else { return [] }
    let pointer = Span(drawing.symbols.pointer + " ", drawing.focused)
    let mark = mark(of: item, drawing)
    let indent = Span(String(repeating: " ", count: pointer.text.columns + mark.text.columns))
    let look = item.disabled == nil ? drawing.focused : drawing.focused.with(.dim)
    let title = item.title.printable
    let subtitle = (item.readableSubtitle ?? "").printable
    if isTabular(list, drawing) || (subtitle.isEmpty && title.columns <= drawing.columns - 4 - mark.text.columns) {
      let first = subtitle.isEmpty ? title : title.padded(to: list.columns.title) + "  "
      return [
        Line([pointer, mark, Span(first, look, target: .item(index)), Span(subtitle, .plain, target: .item(index))])
      ]
    }
    let narrow = drawing.columns - 4 - mark.text.columns
    let titles = title.wrapped(to: narrow).enumerated().map { row, text in
      Line((row == 0 ? [pointer, mark] : [indent]) + [Span(text, look, target: .item(index))])
    }
    let subtitles = subtitle.isEmpty ? [] : subtitle.wrapped(to: narrow).map { Line([indent, Span($0, target: .item(index))]) }
    return Array((titles + subtitles).prefix(max(drawing.size.rows / 2, 1)))
  }

  private func isTabular(_ list: ListBrowser, _ drawing: Drawing) -> Bool {
    let mark = several == nil ? 0 : drawing.symbols.check.on.columns + 1
    return list.columns.title + 2 + list.columns.subtitle <= drawing.columns - 4 - mark
  }

  /// Returns the box of a row, if several rows can be chosen.
  private func mark(of item: Item, _ drawing: Drawing) -> Span {
    guard let several else { return Span("") }
    let box = several.contains(item.id) ? drawing.symbols.check.on : drawing.symbols.check.off
    return Span(box + " ", item.disabled == nil ? .plain : .quiet)
  }

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
