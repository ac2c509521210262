extension String {
  /// Breaks the text into lines of at most a number of columns, between words where possible.
  ///
  /// A line may always be broken next to wide characters. Spaces at a break are dropped; spaces at the beginning are
  /// kept.
  func wrapped(to columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let characters = Array(line)
      return characters.rows(of: columns).map { String(characters[$0]) }
    }
  }

  /// Returns the text if it fits, otherwise its beginning with an ellipsis.
  func truncated(to columns: Int, ellipsis: String) -> String {
    guard self.columns > columns else { return self }
    let room = columns - ellipsis.columns
    guard room >= 0 else { return "" }
    return prefix(columns: room).droppingSpacesAtEnd + ellipsis
  }

  /// Returns the longest prefix that fits into a number of columns.
  func prefix(columns: Int) -> String {
    var width = 0
    return String(
      prefix { character in
        width += Glyph(character).width
        return width <= columns
      })
  }

  /// Returns the text padded with trailing spaces to a number of columns.
  func padded(to columns: Int) -> String { self + String(repeating: " ", count: Swift.max(columns - self.columns, 0)) }

  private var droppingSpacesAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension [Span] {
  /// Breaks the spans into lines of at most a number of columns, like ``Swift/String/wrapped(to:)``. Each character keeps
  /// its look.
  func wrapped(to columns: Int) -> [Line] {
    let characters = flatMap { span in span.text.map { (character: $0, span: span) } }
    return characters.map(\.character).rows(of: columns).map { row in
      var line = Line()
      for (character, span) in characters[row] {
        if let last = line.spans.indices.last, line.spans[last].look == span.look, line.spans[last].target == span.target,
          line.spans[last].link == span.link
        {
          line.spans[last].text.append(character)
        } else {
          var part = Span(String(character), span.look, target: span.target)
          part.link = span.link
          line.spans.append(part)
        }
      }
      return line
    }
  }
}

extension [Character] {
  /// Breaks the characters of one line into rows of at most a number of columns, and returns the range of each row.
  fileprivate func rows(of columns: Int) -> [Range<Int>] {
    let columns = Swift.max(columns, 1)
    var rows: [Range<Int>] = []
    var start = 0
    var width = 0
    /// The last position where the row may be broken, and the width of what precedes it.
    var fallback: (index: Int, width: Int)?
    func end(_ index: Int) {
      var end = index
      while end > start, self[end - 1] == " " { end -= 1 }
      rows.append(start..<end)
    }
    for (index, character) in enumerated() {
      let glyph = Glyph(character)
      if width + glyph.width > columns, index > start {
        if character == " " {
          rows.append(start..<index)
          (start, width, fallback) = (index + 1, 0, nil)
          continue
        }
        if glyph.width == 2, self.mayBreak(before: index) {
          end(index)
          (start, width) = (index, 0)
        } else if let place = fallback {
          end(place.index)
          start = place.index
          width -= place.width
        } else {
          end(index)
          (start, width) = (index, 0)
        }
        fallback = nil
      }
      // A row that follows a break does not start with a space.
      if character == " ", index == start, !rows.isEmpty {
        start = index + 1
        continue
      }
      width += glyph.width
      if character == " " || glyph.width == 2 && self.mayBreak(before: index + 1) { fallback = (index + 1, width) }
    }
    return rows + [start..<count]
  }

  /// Returns whether a line may end before a character that is next to a wide one: closing punctuation never begins a line, and
  /// opening punctuation never ends one.
  private func mayBreak(before index: Int) -> Bool {
    guard indices.contains(index), index > 0 else { return true }
    return !Character.neverFirst.contains(self[index]) && !Character.neverLast.contains(self[index - 1])
  }
}

extension Character {
  /// The characters that never begin a line of Chinese, Japanese or Korean.
  fileprivate static let neverFirst = Set<Character>(
    "。、．，：；！？）］｝」』】〕〉》〗〙〟’”·・ーゝゞヽヾ々〻‥…％‰℃ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ)]},.:;!?%")
  /// The characters that never end a line of Chinese, Japanese or Korean.
  fileprivate static let neverLast = Set<Character>("（［｛「『【〔〈《〖〘〝‘“([{￥＄￡")
}

/// A character as it occupies cells. This program, ncurses and the terminal agree on its width, so columns stay aligned.
///
/// It consists of the character's first scalar and the marks combined with it. Of a sequence that some terminals join into one
/// picture, only the first part is drawn, because terminals disagree on the width of the whole. Flags are an exception, because
/// all terminals draw them in two columns.
struct Glyph: Sendable, Hashable {
  /// The scalars; empty if the character occupies no column.
  let text: String
  /// The number of columns: 0, 1 or 2.
  let width: Int

  /// The number of marks that ncurses stores in a cell in addition to the base scalar (`CCHARW_MAX` is 5).
  private static let mostMarks = 4

  init(_ character: Character) {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, first.columns > 0 else {
      (text, width) = ("", 0)
      return
    }
    if scalars.count == 2, scalars.allSatisfy(\.isRegionalIndicator) {
      // A flag: two letters of one column each, which terminals join.
      (text, width) = (String(character), 2)
      return
    }
    width = first.columns
    if scalars.count == 1 {
      text = String(character)
    } else {
      var kept = String.UnicodeScalarView()
      kept.append(first)
      let marks = scalars.dropFirst().prefix { $0.columns == 0 && !$0.isJoiner }
      kept.append(contentsOf: marks.prefix(Self.mostMarks))
      text = String(kept)
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar joins pictures (U+200D), or selects a picture or text (variation selectors).
  fileprivate var isJoiner: Bool { value == 0x200D || (0xFE00...0xFE0F).contains(value) }
}

extension Unicode.Scalar {
  /// Whether the scalar is one of the letters that make flags in pairs.
  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

extension StringProtocol {
  /// The number of columns that the text occupies.
  var columns: Int { reduce(0) { $0 + Glyph($1).width } }
}

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
