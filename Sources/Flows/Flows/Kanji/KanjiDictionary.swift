/// Kanji, and the words made of them.
public struct KanjiDictionary: Sendable, Codable {
  /// A character, and what it means.
  public struct Entry: Sendable, Codable {
    /// The kanji itself: `水`.
    public var character: String
    /// What it means: `water`.
    public var meaning: String
  }

  /// A word, and what it means.
  public struct Word: Sendable, Codable {
    /// The word itself: `水曜日`.
    public var word: String
    /// What it means: `Wednesday`.
    public var meaning: String
  }

  /// All kanji, in the dictionary's order.
  public var kanji: [Entry]
  /// All words, each made of kanji that are in the dictionary.
  public var words: [Word]

  /// The dictionary that the package ships.
  public static let bundled = DataSource<KanjiDictionary>.json(PackageResources.kanji_json)

  /// Finds a kanji.
  func entry(for character: String) -> Entry? { kanji.first { $0.character == character } }

  /// Finds the kanji that a word is made of, in order, each once; nil if the word is not in the dictionary.
  func kanji(of word: String) -> [Entry]? {
    guard words.contains(where: { $0.word == word }) else { return nil }
    var found: [Entry] = []
    for character in word where !found.contains(where: { $0.character == String(character) }) {
      if let entry = entry(for: String(character)) { found.append(entry) }
    }
    return found
  }

  /// Finds the words that a kanji is part of.
  func words(with character: String) -> [Word] { words.filter { $0.word.contains(character) } }
}
