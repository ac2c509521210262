/// How far something that is longer than its room has been scrolled.
struct Scroll: Sendable, Hashable {
  /// The first row that is shown.
  private(set) var top = 0
  /// The last value that `top` can have, as it was drawn last.
  private(set) var last = 0
  /// How many rows were shown.
  private(set) var page = 1
  /// Whether it goes where the keys go, or was scrolled by hand.
  var follows = true

  /// Whether there is more than can be shown.
  var isNeeded: Bool { last > 0 }

  /// Scrolls by hand.
  mutating func move(by rows: Int) {
    follows = false
    top = min(max(top + rows, 0), last)
  }

  /// Fits to the room that there is.
  ///
  /// - Parameters:
  ///   - rows: How many rows there are in all.
  ///   - page: How many can be shown.
  ///   - focus: Those that have to be seen.
  ///   - context: Those around them that are to be seen too, from the first on, as far as there is room.
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
