import Languages

/// A text for a user, and the language that it is in.
public struct TextInLanguage: Sendable, Hashable {
  /// The text.
  public let text: String
  /// The language of the text.
  public let language: LanguageTag

  /// Creates a text that is not translated.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - language: its language.
  public init(text: String, language: LanguageTag) {
    self.text = text
    self.language = language
  }

  /// Chooses the translation of a text that serves a user best.
  ///
  /// - Parameters:
  ///   - original: text in English.
  ///   - translations: text in other languages.
  ///   - language: language of the user; nil for English.
  init(_ original: String, _ translations: [LanguageTag: String], _ language: LanguageTag?) {
    // English may have an entry as well, because a catalogue can change the originals.
    let tags = language?.fallbacks ?? [.english]
    let match = tags.lazy.compactMap { tag in translations[tag].map { (text: $0, language: tag) } }.first
    (text, self.language) = match ?? (original, .english)
  }
}
