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
