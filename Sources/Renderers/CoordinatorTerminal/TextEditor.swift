/// An editable text with a cursor and a selection.
struct TextEditor: Sendable, Hashable {
  /// The maximum number of characters. Users do not type that much, but may paste it.
  static let longest = 1 << 16
  /// The maximum number of scalars in a character. No script combines more marks with one letter.
  private static let mostScalars = 16

  private(set) var characters: [Character]
  /// The number of characters before the cursor.
  private(set) var cursor: Int
  /// The other end of the selection; nil if nothing is selected.
  private(set) var anchor: Int?
  /// The characters that were cut last.
  private var cut: [Character] = []
  /// Whether the last key was refused, because the text would have become too long.
  private(set) var isFull = false
  /// Whether the text is a secret, which must be neither shown nor stored.
  let isSecret: Bool
  /// Whether a secret is shown nevertheless, on the user's request.
  var isRevealed = false
  /// Whether the text may contain line breaks.
  let hasLines: Bool

  init(_ text: String = "", isSecret: Bool = false, hasLines: Bool = false) {
    characters = Array(text)
    cursor = characters.count
    self.isSecret = isSecret
    self.hasLines = hasLines
  }

  var text: String { String(characters) }

  var isEmpty: Bool { characters.isEmpty }

  /// Whether a blank continues the text: another one after it would be without meaning.
  var takesBlank: Bool { characters.last.map { $0 != " " } ?? false }

  /// The selected characters.
  var selection: Range<Int> { min(cursor, anchor ?? cursor)..<max(cursor, anchor ?? cursor) }

  /// Replaces the whole text.
  mutating func replace(with text: String) {
    characters = Array(text.prefix(Self.longest))
    cursor = characters.count
    anchor = nil
  }

  /// Handles a key.
  ///
  /// - Returns: whether the key has a meaning here.
  mutating func handle(_ key: Key) -> Bool {
    isFull = false
    if let target = movement(key) {
      move(to: target.place, selecting: target.isSelecting)
      return true
    }
    switch key {
    case .character(let character): if !join(character) { insert([character]) }
    case .paste(let text): insert(pasted(text))
    case .newline where hasLines, .control("o") where hasLines: insert([Self.lineBreak])
    case .backspace: delete(selection.isEmpty ? max(cursor - 1, 0)..<cursor : selection)
    case .delete, .control("d"):
      delete(selection.isEmpty ? cursor..<min(cursor + 1, characters.count) : selection)
    case .control("w"): cut(wordStart..<cursor)
    case .control("u"): cut(0..<cursor)
    case .control("k"): cut(cursor..<characters.count)
    case .control("x"): cut(selection)
    case .control("y"): insert(cut)
    default: return false
    }
    return true
  }

  private func movement(_ key: Key) -> (place: Int, isSelecting: Bool)? {
    switch key {
    case .left, .control("b"): (selection.isEmpty ? cursor - 1 : selection.lowerBound, false)
    case .right, .control("f"): (selection.isEmpty ? cursor + 1 : selection.upperBound, false)
    case .home, .control("a"): (0, false)
    case .end, .control("e"): (characters.count, false)
    case .wordLeft: (wordStart, false)
    case .wordRight: (wordEnd, false)
    case .selectLeft: (cursor - 1, true)
    case .selectRight: (cursor + 1, true)
    case .selectHome: (0, true)
    case .selectEnd: (characters.count, true)
    default: nil
    }
  }

  private static let lineBreak: Character = "\n"

  /// Returns pasted text as it is inserted. Where there are no lines, a blank replaces those that end lines between words; at the
  /// end, a line that was copied as a whole has one.
  private func pasted(_ text: String) -> [Character] {
    let characters = text.map { $0.isNewline ? Self.lineBreak : $0 == "\t" ? " " : $0 }
    return hasLines ? characters : Array(characters.split(separator: Self.lineBreak).joined(separator: " "))
  }

  mutating func move(to place: Int, selecting: Bool) {
    anchor = selecting ? anchor ?? cursor : nil
    cursor = min(max(place, 0), characters.count)
  }

  /// Combines a mark with the character before the cursor, for input methods that type accents after their letters.
  private mutating func join(_ mark: Character) -> Bool {
    guard Glyph(mark).width == 0, selection.isEmpty, cursor > 0 else { return false }
    let joined = String(characters[cursor - 1]) + String(mark)
    guard let character = joined.first, joined.count == 1, joined.unicodeScalars.count <= Self.mostScalars else { return false }
    characters[cursor - 1] = character
    return true
  }

  private mutating func insert(_ new: [Character]) {
    // Invisible characters are dropped, because the user could not correct them.
    let visible = new.filter { Glyph($0).width > 0 || hasLines && $0 == Self.lineBreak }
    // A part would look like the whole, above all in a secret.
    isFull = characters.count - selection.count + visible.count > Self.longest
    guard !isFull else { return }
    delete(selection)
    characters.insert(contentsOf: visible, at: cursor)
    cursor += visible.count
  }

  private mutating func delete(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
    anchor = nil
  }

  private mutating func cut(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if !isSecret { cut = Array(characters[range]) }
    delete(range)
  }

  private var wordStart: Int {
    var place = cursor
    while place > 0, !isWord(place - 1) { place -= 1 }
    while place > 0, isWord(place - 1) { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    var place = cursor
    while place < characters.count, !isWord(place) { place += 1 }
    while place < characters.count, isWord(place) { place += 1 }
    return place
  }

  private func isWord(_ index: Int) -> Bool {
    // Word boundaries would reveal a part of a secret.
    isSecret || characters[index].isLetter || characters[index].isNumber
  }
}

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
