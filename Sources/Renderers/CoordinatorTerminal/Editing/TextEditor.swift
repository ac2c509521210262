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
    if let target = movement(key) {
      move(to: target.place, selecting: target.isSelecting)
      return true
    }
    switch key {
    case .character(let character): if !join(character) { insert([character]) }
    case .paste(let text): insert(text.map { $0.isNewline ? lineBreak : $0 == "\t" ? " " : $0 })
    case .newline where hasLines, .control("o") where hasLines: insert([lineBreak])
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

  /// The replacement of a line break.
  private var lineBreak: Character { hasLines ? "\n" : " " }

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
    let visible = new.filter { Glyph($0).width > 0 || hasLines && $0 == "\n" }
    delete(selection)
    let taken = visible.prefix(max(Self.longest - characters.count, 0))
    characters.insert(contentsOf: taken, at: cursor)
    cursor += taken.count
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
