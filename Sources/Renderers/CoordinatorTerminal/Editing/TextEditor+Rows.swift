/// A text that takes several rows.
extension TextEditor {
  /// The text in rows of at most so many columns: broken after spaces where that is possible, and at line breaks, which are in no row.
  ///
  /// Spaces at the end of a row may stick out.
  ///
  /// - Parameter columns: How wide the rows may be.
  /// - Returns: The characters of each row; at least one row.
  func rows(columns: Int) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    var start = 0
    var width = 0
    /// The last place where the row may be broken.
    var place: Int?
    for (index, character) in characters.enumerated() {
      if character.isNewline {
        rows.append(start..<index)
        (start, width, place) = (index + 1, 0, nil)
        continue
      }
      if character == " " {
        (place, width) = (index + 1, width + 1)
        continue
      }
      let glyph = Glyph(character).width
      if width + glyph > max(columns, 1), index > start {
        let end = place ?? index
        rows.append(start..<end)
        width = characters[end..<index].reduce(0) { $0 + Glyph($1).width }
        (start, place) = (end, nil)
      }
      width += glyph
    }
    return rows + [start..<characters.count]
  }

  /// Where the cursor is in such rows.
  ///
  /// - Parameter rows: What ``rows(columns:)`` has answered.
  /// - Returns: The row, and the columns before the cursor in it.
  func cursorPlace(in rows: [Range<Int>]) -> (row: Int, column: Int) {
    let row = rows.lastIndex { $0.lowerBound <= cursor } ?? 0
    return (row, rows[row].prefix { $0 < cursor }.reduce(0) { $0 + Glyph(characters[$1]).width })
  }

  /// Moves the cursor up or down, and keeps to its column as far as there is one.
  ///
  /// - Returns: Whether there is a row in that direction.
  mutating func move(rows step: Int, columns: Int) -> Bool {
    let rows = rows(columns: columns)
    let here = cursorPlace(in: rows)
    guard rows.indices.contains(here.row + step) else { return false }
    let target = rows[here.row + step]
    var place = target.lowerBound
    var column = 0
    while place < target.upperBound, column + Glyph(characters[place]).width <= here.column {
      column += Glyph(characters[place]).width
      place += 1
    }
    // Behind the last character of a row that goes on one would be in the next row.
    let isWrapped = place == target.upperBound && rows[safe: here.row + step + 1]?.lowerBound == place
    move(to: isWrapped ? max(place - 1, target.lowerBound) : place, selecting: false)
    return true
  }
}
