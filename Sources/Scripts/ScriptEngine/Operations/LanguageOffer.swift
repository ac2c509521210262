import Forms

/// The languages among which a question lets the user choose.
package struct LanguageOffer: Sendable, Hashable {
  /// The languages that the script names; empty for all that its texts, or else those of this program, are translated to.
  package var named: [LanguageTag]
  /// The name of the script's catalogs, as in `TEXTDOMAIN`; nil if it has none.
  package var domain: String?
  /// The directory of the script's catalogs, as in `TEXTDOMAINDIR`; nil for the usual ones.
  package var directory: String?

  /// Creates an offer.
  package init(named: [LanguageTag] = [], domain: String? = nil, directory: String? = nil) {
    (self.named, self.domain, self.directory) = (named, domain, directory)
  }

  /// Reads an offer.
  ///
  /// - Throws: ``ScriptCrash`` if one of the languages is none.
  init(json: JSONValue, of name: String, at place: String) throws(ScriptCrash) {
    var named: [LanguageTag] = []
    for text in json["named"]?.strings ?? [] {
      do {
        let tag = try LanguageTag(text)
        if !named.contains(tag) { named.append(tag) }
      } catch {
        throw ScriptCrash("the question \(name): \(error)", at: place)
      }
    }
    self.init(
      named: named, domain: json["domain"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      directory: json["directory"]?.string.flatMap { $0.isEmpty ? nil : $0 })
  }
}
