import CoordinatorKit
import RendererKit

/// The lines of a screen, before they are fitted into the available space.
struct Page: Sendable, Hashable {
  /// The lines that stay at the top, the ones that scroll, and the ones that stay at the bottom.
  var top: [Line] = []
  var middle: [Line] = []
  var bottom: [Line] = []
  /// The rows of the middle that must be visible.
  var focus: Range<Int>?
  /// The rows around the focus that are made visible as well if there is room for all of them.
  var context: Range<Int>?
  /// The position of the cursor. Rows are counted from the first row of the middle; those after its end belong to the
  /// bottom.
  var cursor: Position?
  /// Whether text can be typed at the cursor.
  var isTyping = false
  /// Whether the page contains an animation.
  var isMoving = false
  /// The time in milliseconds after which a countdown changes; nil if there is none.
  var nextChange: Int?

  var rows: Int { top.count + middle.count + bottom.count }

  /// The width of the widest line.
  var columns: Int { [top, middle, bottom].joined().reduce(0) { max($0, $1.columns) } }

  /// Appends a block, with a blank line before it if `spaced` is true and anything precedes it.
  mutating func append(_ lines: [Line], spaced: Bool) {
    guard !lines.isEmpty else { return }
    if spaced, !(top.isEmpty && middle.isEmpty) { middle.append(.blank) }
    middle += lines
  }

  /// Keeps the blank line below the title if the page scrolls.
  mutating func keepTitleApart(rows: Int) {
    guard self.rows > rows, rows >= 10, !top.isEmpty, middle.first == .blank else { return }
    top.append(middle.removeFirst())
    func up(_ range: Range<Int>) -> Range<Int> { max(range.lowerBound - 1, 0)..<max(range.upperBound - 1, 0) }
    focus = focus.map(up)
    context = context.map(up)
    cursor = cursor.map { Position(column: $0.column, row: max($0.row - 1, 0)) }
  }

  /// Makes the whole page scroll if too little room is left for the middle.
  mutating func fit(rows: Int) {
    guard self.rows > rows, rows - top.count - bottom.count < 3 else { return }
    let shift = top.count
    context = context.map { $0.lowerBound + shift..<$0.upperBound + shift }
    focus =
      focus.map { $0.lowerBound + shift..<$0.upperBound + shift } ?? (bottom.isEmpty ? nil : shift + middle.count..<self.rows)
    cursor = cursor.map { Position(column: $0.column, row: $0.row + shift) }
    middle = top + middle + bottom
    (top, bottom) = ([], [])
  }
}

extension Frame {
  /// Draws a page into an area, scrolled so that its focus is visible.
  mutating func draw(_ page: Page, in area: Area, scroll: inout Scroll, symbols: Symbols) {
    var page = page
    page.fit(rows: area.rows)
    page.keepTitleApart(rows: area.rows)
    for (index, line) in page.top.enumerated() { write(line, column: area.column, row: area.row + index, within: area) }
    let room = max(area.rows - page.top.count - page.bottom.count, 0)
    let middle = Area(column: area.column, row: area.row + page.top.count, columns: area.columns, rows: room)
    scroll.settle(rows: page.middle.count, page: room, focus: page.focus, context: page.context)
    for (index, line) in page.middle.dropFirst(scroll.top).prefix(room).enumerated() {
      write(line, column: middle.column, row: middle.row + index, within: middle)
    }
    if room > 1 {
      if scroll.top > 0 { mark(symbols.more.above, row: middle.row, middle) }
      if scroll.top < scroll.last { mark(symbols.more.below, row: middle.lastRow, middle) }
    }
    let bottom = min(middle.row + page.middle.count, middle.row + room)
    for (index, line) in page.bottom.enumerated() { write(line, column: area.column, row: bottom + index, within: area) }
    place(page, Area(column: area.column, row: middle.row, columns: area.columns, rows: room), bottom: bottom, scroll)
    isMoving = isMoving || page.isMoving
    if let change = page.nextChange { nextChange = min(nextChange ?? change, change) }
  }

  /// Places the cursor at the page's position if it is visible.
  private mutating func place(_ page: Page, _ middle: Area, bottom: Int, _ scroll: Scroll) {
    guard let cursor = page.cursor, cursor.column < middle.columns else { return }
    let row: Int
    if cursor.row >= page.middle.count {
      row = bottom + cursor.row - page.middle.count
    } else {
      guard (scroll.top..<scroll.top + middle.rows).contains(cursor.row) else { return }
      row = middle.row + cursor.row - scroll.top
    }
    guard row < size.rows else { return }
    self.cursor = Position(column: middle.column + cursor.column, row: row)
    isCursorVisible = page.isTyping
  }

  private mutating func mark(_ sign: String, row: Int, _ area: Area) {
    write(Line(sign, .quiet), column: area.lastColumn - sign.columns + 1, row: row, within: area)
  }
}

/// The scroll position of content that may exceed its space.
struct Scroll: Sendable, Hashable {
  /// The first visible row.
  private(set) var top = 0
  /// The maximum of `top` when the content was last drawn.
  private(set) var last = 0
  /// The number of visible rows.
  private(set) var page = 1
  /// Whether the position follows the focus, as opposed to having been scrolled manually.
  var follows = true

  /// Whether the content exceeds its space.
  var isNeeded: Bool { last > 0 }

  /// The part of the content that has been seen, in percent.
  var percent: Int { last == 0 ? 100 : top * 100 / last }

  /// Scrolls manually.
  mutating func move(by rows: Int) {
    follows = false
    top = min(max(top + rows, 0), last)
  }

  /// Adapts the position to the available space.
  ///
  /// - Parameters:
  ///   - rows: total number of rows.
  ///   - page: number of rows that fit.
  ///   - focus: rows that must be visible.
  ///   - context: rows around the focus that are made visible as well, starting with the first, as far as there is
  ///     room.
  mutating func settle(rows: Int, page: Int, focus: Range<Int>?, context: Range<Int>? = nil) {
    self.page = max(page, 1)
    last = max(rows - self.page, 0)
    if follows, let focus {
      if let context, focus.upperBound - context.lowerBound <= self.page {
        top = max(top, min(context.upperBound - self.page, context.lowerBound))
        top = min(top, context.lowerBound)
      }
      top = max(top, focus.upperBound - self.page)
      top = min(top, focus.lowerBound)
    }
    top = min(max(top, 0), last)
  }
}

/// The context in which a screen is drawn.
struct Drawing: Sendable, Hashable {
  var symbols: Symbols
  /// The available space.
  var size: Size
  /// Whether the screen receives keys: it is the top screen, and nothing covers it.
  var isActive = true
  /// The counter of animation steps.
  var beat = 0
  /// The current time, for countdowns; nil draws none.
  var now: Timestamp?
  /// The color of highlighted elements.
  var accent = Look.Colour.magenta

  var columns: Int { size.columns }

  var focused: Look { Look(.bold, colour: accent) }

  func wrapped(_ text: String, _ look: Look = .plain, indent: Int = 0, target: Target? = nil) -> [Line] {
    text.wrapped(to: columns - indent).map {
      Line($0, look, target: target).indented(Span(String(repeating: " ", count: indent)))
    }
  }

  /// Returns the lines of a message, with a symbol for its level.
  func message(_ level: ScreenMessage.Level, _ text: String, lead: Span = Span("")) -> [Line] {
    let sign =
      switch level {
      case .error: symbols.error
      case .warning: symbols.warning
      case .info: symbols.info
      }
    let look = Look(level == .info ? [] : .bold, colour: Look.Colour(level))
    let indent = lead.text.columns + sign.columns + 1
    return text.printable.wrapped(to: columns - indent).enumerated().map { index, line in
      let sign = index == 0 ? sign + " " : String(repeating: " ", count: sign.columns + 1)
      return Line([lead, Span(sign, look), Span(line, level == .info ? .plain : Look(colour: Look.Colour(level)))])
    }
  }
}
