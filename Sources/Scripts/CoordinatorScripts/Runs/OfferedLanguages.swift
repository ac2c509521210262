import CoordinatorKit
import Platform
import ScriptEngine

/// The languages that a user may choose, as the catalogs on this machine give them.
package struct OfferedLanguages: Sendable {
  /// The rows: each language with its name in itself.
  package let rows: [(tag: LanguageTag, name: String)]
  /// The language of the rows that the user reads now; nil if it is none of them.
  package let current: LanguageTag?

  /// Finds languages.
  ///
  /// - Parameters:
  ///   - offer: what the script offers.
  ///   - own: the translations of this program, which also know the names of languages.
  ///   - language: the language in which the user reads now; nil for English.
  package init(_ offer: LanguageOffer, own: Translations, speaking language: LanguageTag?) {
    let script = offer.domain.map { Translations(domains: [$0], directories: Self.directories(of: offer)) }
    let found = (script ?? own).languages.map(\.tag)
    let tags = offer.named.isEmpty ? found : offer.named
    let named = tags.map { tag in
      let languages = [script, own].compactMap { $0?.languages.first { $0.tag == tag } }
      // A catalog without the header field gives the tag as the name.
      let name = languages.map(\.name).first { !$0.bytes.equals(tag.description) }
      return (tag: tag, name: name ?? tag.bcp47)
    }
    let current = (language ?? .english).fallbacks.first(where: tags.contains)
    self.current = current
    rows = named.sorted { one, other in
      if (one.tag == current) != (other.tag == current) { return one.tag == current }
      return one.name.unicodeScalars.lexicographicallyPrecedes(other.name.unicodeScalars)
    }
  }

  private static func directories(of offer: LanguageOffer) -> [String] {
    if let directory = offer.directory { return [directory] }
    return Translations.usualDirectories(environment: Environment.value(of:))
  }
}

extension ScriptOperation {
  /// Fills in the rows of a question about the language; nothing else changes.
  ///
  /// - Parameters:
  ///   - own: the translations of this program.
  ///   - language: the language in which the user reads now; nil for English.
  /// - Returns: the operation.
  package func offeringLanguages(of own: Translations, speaking language: LanguageTag?) -> ScriptOperation {
    guard case .ask(var question) = kind, let offer = question.languages else { return self }
    let offered = OfferedLanguages(offer, own: own, speaking: language)
    question.offer(offered.rows, current: offered.current)
    var operation = self
    operation.kind = .ask(question)
    return operation
  }
}
