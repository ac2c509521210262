/// A text that is being typed: with a cursor, and a part that is selected.
struct TextEditor: Sendable, Hashable {
  /// More is not taken: nobody types that much, but somebody may paste it.
  static let longest = 1 << 16
  /// More marks than any script has are not written over one letter.
  private static let mostScalars = 16

  private(set) var characters: [Character]
  /// How many characters are left of the cursor.
  private(set) var cursor: Int
  /// The other end of the selection.
  private(set) var anchor: Int?
  /// What was cut last.
  private var cut: [Character] = []
  /// Whether nothing of the text may be seen or kept.
  let isSecret: Bool
  /// Whether it may have line breaks.
  let hasLines: Bool

  init(_ text: String = "", isSecret: Bool = false, hasLines: Bool = false) {
    characters = Array(text)
    cursor = characters.count
    self.isSecret = isSecret
    self.hasLines = hasLines
  }

  var text: String { String(characters) }

  var isEmpty: Bool { characters.isEmpty }

  /// What is selected.
  var selection: Range<Int> { min(cursor, anchor ?? cursor)..<max(cursor, anchor ?? cursor) }

  /// Replaces everything.
  mutating func replace(with text: String) {
    characters = Array(text.prefix(Self.longest))
    cursor = characters.count
    anchor = nil
  }

  /// Takes a key.
  ///
  /// - Returns: Whether the key means something here.
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

  /// What stands for a line break.
  private var lineBreak: Character { hasLines ? "\n" : " " }

  mutating func move(to place: Int, selecting: Bool) {
    anchor = selecting ? anchor ?? cursor : nil
    cursor = min(max(place, 0), characters.count)
  }

  /// Writes a mark over the character before the cursor, where accents are typed after their letters.
  private mutating func join(_ mark: Character) -> Bool {
    guard Glyph(mark).width == 0, selection.isEmpty, cursor > 0 else { return false }
    let joined = String(characters[cursor - 1]) + String(mark)
    guard let character = joined.first, joined.count == 1, joined.unicodeScalars.count <= Self.mostScalars else { return false }
    characters[cursor - 1] = character
    return true
  }

  private mutating func insert(_ new: [Character]) {
    // What takes no room cannot be seen, and so not be corrected.
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
    // Where the words of a secret begin is a part of it.
    isSecret || characters[index].isLetter || characters[index].isNumber
  }
}
