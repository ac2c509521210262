/// Kanji, and words that consist of them.
public struct KanjiDictionary: Sendable, Codable {
  /// A character and its meaning.
  public struct Entry: Sendable, Codable {
    /// The kanji itself, such as `水`.
    public var character: String
    /// The meaning, such as `water`.
    public var meaning: String
  }

  /// A word and its meaning.
  public struct Word: Sendable, Codable {
    /// The word itself, such as `水曜日`.
    public var word: String
    /// The meaning, such as `Wednesday`.
    public var meaning: String
  }

  /// All kanji, in the order of the dictionary.
  public var kanji: [Entry]
  /// All words. Each consists of kanji in the dictionary.
  public var words: [Word]

  /// The dictionary that ships with the package.
  public static let bundled = DataSource<KanjiDictionary>.json(PackageResources.kanji_json)

  /// Returns the entry of a kanji; nil if there is none.
  func entry(for character: String) -> Entry? { kanji.first { $0.character == character } }

  /// Returns the kanji of a word, in order and without repetitions; nil if the word is not in the dictionary.
  func kanji(of word: String) -> [Entry]? {
    guard words.contains(where: { $0.word == word }) else { return nil }
    var found: [Entry] = []
    for character in word where !found.contains(where: { $0.character == String(character) }) {
      if let entry = entry(for: String(character)) { found.append(entry) }
    }
    return found
  }

  /// Returns the words that contain a kanji.
  func words(with character: String) -> [Word] { words.filter { $0.word.contains(character) } }
}
