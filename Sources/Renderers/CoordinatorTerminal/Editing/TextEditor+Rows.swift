/// Layout and cursor movement of text with several rows.
extension TextEditor {
  /// Breaks the text into rows of at most a number of columns: after spaces where possible, and at line breaks, which
  /// belong to no row.
  ///
  /// Spaces at the end of a row may exceed the width.
  ///
  /// - Parameter columns: maximum width of a row.
  /// - Returns: the characters of each row; at least one row.
  func rows(columns: Int) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    var start = 0
    var width = 0
    /// The last position where the row may be broken.
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

  /// Returns the position of the cursor.
  ///
  /// - Parameter rows: result of ``rows(columns:)``.
  /// - Returns: the row, and the number of columns before the cursor in it.
  func cursorPlace(in rows: [Range<Int>]) -> (row: Int, column: Int) {
    let row = rows.lastIndex { $0.lowerBound <= cursor } ?? 0
    return (row, rows[row].prefix { $0 < cursor }.reduce(0) { $0 + Glyph(characters[$1]).width })
  }

  /// Moves the cursor up or down. Keeps its column as far as possible.
  ///
  /// - Returns: whether there is a row in that direction.
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
    // The position after the last character of a wrapped row is the start of the next row.
    let isWrapped = place == target.upperBound && rows[safe: here.row + step + 1]?.lowerBound == place
    move(to: isWrapped ? max(place - 1, target.lowerBound) : place, selecting: false)
    return true
  }
}
