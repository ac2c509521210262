import Languages

/// The texts that the strings of a schema come from, so that they can be translated when a screen shows them.
///
/// A form is often a constant, created once for trees of all languages. Its strings are therefore English, and the texts are
/// stored next to them. Schemas with the same strings are equal regardless of their texts, so all values of this type are
/// equal.
struct SourceTexts: Sendable, Hashable {
  private final class Storage: Sendable {
    let title, summary, message: Text?

    init(_ title: Text?, _ summary: Text?, _ message: Text?) {
      (self.title, self.summary, self.message) = (title, summary, message)
    }
  }

  /// Stored separately, because schemas that clients read have no texts.
  private let storage: Storage?

  init(title: Text? = nil, summary: Text? = nil, message: Text? = nil) {
    let texts = [title, summary, message]
    storage = texts.contains { $0?.key != nil } ? Storage(title, summary, message) : nil
  }

  var title: Text? { storage?.title }
  var summary: Text? { storage?.summary }
  var message: Text? { storage?.message }

  func with(title: Text?) -> SourceTexts { SourceTexts(title: title, summary: summary, message: message) }
  func with(summary: Text?) -> SourceTexts { SourceTexts(title: title, summary: summary, message: message) }
  func with(message: Text?) -> SourceTexts { SourceTexts(title: title, summary: summary, message: message) }

  static func == (one: SourceTexts, other: SourceTexts) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
