extension TextEditor {
  /// The part of the text that fits into a field.
  struct Window: Sendable, Hashable {
    /// The visible text, at most as wide as the field, divided by the selection.
    var before: String
    var selected: String
    var after: String
    /// The column of the cursor, relative to the field.
    var cursor: Int
  }

  /// Returns the part of the text around the cursor that fits into a number of columns. One column is reserved for the
  /// cursor at the end.
  ///
  /// - Parameters:
  ///   - columns: width of the field.
  ///   - mask: replacement of each character of a secret.
  /// - Returns: the visible part and the position of the cursor in it.
  func window(columns: Int, mask: String) -> Window {
    let shown = isSecret && !isRevealed ? characters.map { _ in Character(mask) } : characters
    let widths = shown.map { Glyph($0).width }
    var first = cursor
    var width = 1
    // As much text as fits before the cursor, then as much as fits after it.
    while first > 0, width + widths[first - 1] <= columns {
      first -= 1
      width += widths[first]
    }
    let column = width - 1
    var last = cursor
    width = column
    while last < shown.count, width + widths[last] <= columns {
      width += widths[last]
      last += 1
    }
    let chosen = selection.clamped(to: first..<last)
    return Window(
      before: String(shown[first..<chosen.lowerBound]), selected: String(shown[chosen]),
      after: String(shown[chosen.upperBound..<last]), cursor: column)
  }
}
