import CoordinatorKit
import RendererKit

/// Draws answers under review.
extension ScreenView {
  func appendReview(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    guard !screen.review.isEmpty else { return }
    let changeable = Set(screen.changeableRows)
    let titles = screen.review.map { $0.title.printable.columns }.max() ?? 0
    var lines: [Line] = []
    var focus: Range<Int>?
    var cursor: Position?
    for (index, row) in screen.review.enumerated() {
      let isFocused = drawing.isActive && stop == .review(index)
      let button = changeable.contains(index) ? Self.button(index, isFocused, drawing) : nil
      let block = Self.block(row, titles: titles, button, drawing)
      if isFocused {
        focus = lines.count..<lines.count + block.count
        cursor = Position(column: max(drawing.columns - (button?.text.columns ?? 0), 0), row: lines.count)
      }
      lines += block
    }
    page.append(lines, spaced: spaced)
    let shift = page.middle.count - lines.count
    guard let focus, let cursor else { return }
    page.focus = focus.lowerBound + shift..<focus.upperBound + shift
    page.cursor = Position(column: cursor.column, row: cursor.row + shift)
  }

  private static func button(_ index: Int, _ isFocused: Bool, _ drawing: Drawing) -> Span {
    let look = isFocused ? Look([.bold, .reversed], colour: drawing.accent) : .plain
    return Span(button(ReviewRow.changeTitle), look, target: .review(index))
  }

  /// Returns the lines of a row: title and value side by side if there is room, otherwise the value below its title. The button
  /// is at the end of the first line.
  private static func block(_ row: ReviewRow, titles: Int, _ button: Span?, _ drawing: Drawing) -> [Line] {
    let title = row.title.printable
    let edge = Self.button(ReviewRow.changeTitle).columns
    let values = row.value.isEmpty ? [drawing.symbols.nothing] : row.value.printableLines
    let room = drawing.columns - titles - 2 - edge - 2
    var lines: [Line]
    if room >= 16, titles <= drawing.columns / 2 {
      lines = values.flatMap { $0.wrapped(to: room) }.enumerated().map { number, text in
        Line([Span((number == 0 ? title : "").padded(to: titles + 2), .quiet), Span(text)])
      }
    } else {
      lines =
        title.wrapped(to: drawing.columns - edge - 2).map { Line($0, .quiet) }
        + values.flatMap { drawing.wrapped($0, indent: 2) }
    }
    if let button, let first = lines.first {
      let gap = drawing.columns - first.columns - button.text.columns
      lines[0].spans += [Span(String(repeating: " ", count: max(gap, 1))), button]
    }
    return lines
  }
}
