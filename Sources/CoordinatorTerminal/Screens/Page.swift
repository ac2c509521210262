/// A screen in lines, before it is put into the room that there is for it.
struct Page: Sendable, Hashable {
  /// What stays at the top, what can be scrolled, and what stays at the bottom.
  var top: [Line] = []
  var middle: [Line] = []
  var bottom: [Line] = []
  /// The rows of the middle that have to be seen.
  var focus: Range<Int>?
  /// Where the cursor is, in the middle.
  var cursor: Position?
  /// Whether something in it moves by itself.
  var isMoving = false

  var rows: Int { top.count + middle.count + bottom.count }

  /// How wide the widest line is.
  var columns: Int { [top, middle, bottom].joined().reduce(0) { max($0, $1.columns) } }

  /// Appends a block, with a blank line before it if there is one to spare.
  mutating func append(_ lines: [Line], spaced: Bool) {
    guard !lines.isEmpty else { return }
    if spaced, !(top.isEmpty && middle.isEmpty) { middle.append(.blank) }
    middle += lines
  }

  /// Lets everything scroll if little is left for what has to.
  mutating func fit(rows: Int) {
    guard self.rows > rows, rows - top.count - bottom.count < 3 else { return }
    let shift = top.count
    focus =
      focus.map { $0.lowerBound + shift..<$0.upperBound + shift } ?? (bottom.isEmpty ? nil : shift + middle.count..<self.rows)
    cursor = cursor.map { Position(column: $0.column, row: $0.row + shift) }
    middle = top + middle + bottom
    (top, bottom) = ([], [])
  }
}

extension Frame {
  /// Draws a page into an area, scrolled so that what matters is seen.
  mutating func draw(_ page: Page, in area: Area, scroll: inout Scroll, symbols: Symbols) {
    var page = page
    page.fit(rows: area.rows)
    for (index, line) in page.top.enumerated() { write(line, column: area.column, row: area.row + index, within: area) }
    let room = max(area.rows - page.top.count - page.bottom.count, 0)
    let middle = Area(column: area.column, row: area.row + page.top.count, columns: area.columns, rows: room)
    scroll.settle(rows: page.middle.count, page: room, focus: page.focus)
    for (index, line) in page.middle.dropFirst(scroll.top).prefix(room).enumerated() {
      write(line, column: middle.column, row: middle.row + index, within: middle)
    }
    if room > 1 {
      if scroll.top > 0 { mark(symbols.more.above, row: middle.row, middle) }
      if scroll.top < scroll.last { mark(symbols.more.below, row: middle.lastRow, middle) }
    }
    let bottom = min(middle.row + page.middle.count, middle.row + room)
    for (index, line) in page.bottom.enumerated() { write(line, column: area.column, row: bottom + index, within: area) }
    if let cursor = page.cursor, (scroll.top..<scroll.top + room).contains(cursor.row), cursor.column < area.columns {
      self.cursor = Position(column: area.column + cursor.column, row: middle.row + cursor.row - scroll.top)
    }
    isMoving = isMoving || page.isMoving
  }

  private mutating func mark(_ sign: String, row: Int, _ area: Area) {
    write(Line(sign, .quiet), column: area.lastColumn - sign.columns + 1, row: row, within: area)
  }
}
