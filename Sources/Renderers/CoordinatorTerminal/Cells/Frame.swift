/// The contents of the terminal at one moment: a grid of cells, and the position of the cursor.
struct Frame: Sendable, Hashable {
  /// The contents of one column of one row.
  struct Cell: Sendable, Hashable {
    /// One character; empty in the second column of a wide one.
    var text: String
    var look: Look
    var target: Target?

    static let blank = Cell(text: " ", look: .plain)
  }

  /// Progress that is shown outside of the window.
  enum Progress: Sendable, Hashable {
    /// Work of unknown duration is in progress.
    case unknown
    case percent(Int)
  }

  /// A text that is a link.
  struct Link: Sendable, Hashable {
    var place: Position
    var text: String
    var address: String
  }

  let size: Size
  private(set) var cells: [Cell]
  /// The title of the window; empty for none.
  var title = ""
  var progress: Progress?
  /// The texts that are links.
  private(set) var links: [Link] = []
  /// The position that the keys act on, where assistive devices such as Braille displays and magnifiers expect the
  /// cursor; nil if there is none.
  var cursor: Position?
  /// Whether the cursor is visible, because text can be typed there. Elsewhere a sign or a color marks the position.
  var isCursorVisible = false
  /// Whether the frame contains an animation.
  var isMoving = false
  /// The time in milliseconds after which a countdown changes; nil if there is none.
  var nextChange: Int?

  init(_ size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// Returns the cells of a row, from left to right.
  func row(_ row: Int) -> ArraySlice<Cell> {
    guard (0..<size.rows).contains(row) else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Returns the rows that look different in another frame of the same size.
  func rowsThatDiffer(from other: Frame) -> [Int] {
    let columns = size.columns
    // Slices would copy each cell to compare it, for every key.
    return cells.withUnsafeBufferPointer { new in
      other.cells.withUnsafeBufferPointer { old in
        (0..<size.rows).filter { row in
          (row * columns..<(row + 1) * columns).contains { new[$0].text != old[$0].text || new[$0].look != old[$0].look }
        }
      }
    }
  }

  /// Returns the target of a click at a position.
  func target(at position: Position) -> Target? { index(position.column, position.row).flatMap { cells[$0].target } }

  /// Writes a line, clipped to an area.
  mutating func write(_ line: Line, column: Int, row: Int, within area: Area) {
    guard (area.row..<area.row + area.rows).contains(row) else { return }
    var column = column
    for span in line.spans {
      if let address = span.link { note(span.text, address, column: column, row: row, within: area) }
      for character in span.text {
        let glyph = Glyph(character)
        guard glyph.width > 0 else { continue }
        guard column + glyph.width - 1 <= area.lastColumn else { return }
        if column >= area.column { put(glyph, span.look, span.target, column, row) }
        column += glyph.width
      }
    }
  }

  private mutating func note(_ text: String, _ address: String, column: Int, row: Int, within area: Area) {
    let width = text.columns
    guard column >= area.column, column + width - 1 <= area.lastColumn, row < size.rows, column + width <= size.columns,
      width > 0, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return }
    links.append(Link(place: Position(column: column, row: row), text: text, address: address))
  }

  /// Fills an area with blanks.
  mutating func clear(_ area: Area) {
    for row in area.row..<area.row + area.rows {
      for column in area.column..<area.column + area.columns { put(Glyph(" "), .plain, nil, column, row) }
    }
  }

  /// Moves the current contents to the background: dims them, and makes them insensitive to clicks.
  mutating func recede() {
    for index in cells.indices {
      cells[index].look = .quiet
      cells[index].target = nil
    }
    links = []
    cursor = nil
    isCursorVisible = false
    isMoving = false
  }

  /// Makes an area insensitive to clicks.
  mutating func forgetTargets(in area: Area) {
    for row in area.row..<area.row + area.rows {
      for column in area.column..<area.column + area.columns {
        if let index = index(column, row) { cells[index].target = nil }
      }
    }
  }

  private mutating func put(_ glyph: Glyph, _ look: Look, _ target: Target?, _ column: Int, _ row: Int) {
    guard let index = index(column, row) else { return }
    guard glyph.width == 1 || self.index(column + 1, row) != nil else { return }
    // Overwriting half of a wide character removes the other half.
    if cells[index].text.isEmpty { cells[index - 1].text = " " }
    let last = index + glyph.width - 1
    if last + 1 < cells.count, column + glyph.width < size.columns, cells[last + 1].text.isEmpty { cells[last + 1].text = " " }
    cells[index] = Cell(text: glyph.text, look: look, target: target)
    if glyph.width == 2 { cells[last] = Cell(text: "", look: look, target: target) }
  }

  private func index(_ column: Int, _ row: Int) -> Int? {
    guard (0..<size.columns).contains(column), (0..<size.rows).contains(row) else { return nil }
    return row * size.columns + column
  }
}

extension Frame {
  /// The rows as text, without trailing spaces.
  var lines: [String] {
    (0..<size.rows).map { row in
      var text = self.row(row).map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}
