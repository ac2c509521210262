import Platform

extension LanguageTag {
  /// Returns the languages that the environment asks for, best first, by gettext's rules.
  ///
  /// The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty. `LANGUAGE`, a list separated by
  /// colons, overrides it, unless the locale is `C` or `POSIX`. Entries that do not name a language are skipped.
  ///
  /// - Parameter variable: returns the value of an environment variable.
  /// - Returns: the languages; empty if nothing is to be translated.
  public static func preferred(
    environment variable: (String) -> String? = Environment.value(of:)
  ) -> [LanguageTag] {
    func nonEmpty(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    guard let locale = nonEmpty("LC_ALL") ?? nonEmpty("LC_MESSAGES") ?? nonEmpty("LANG"), locale != "C", locale != "POSIX"
    else { return [] }
    let names = nonEmpty("LANGUAGE")?.bytes.split(separator: ":").map(String.init) ?? [locale]
    var tags: [LanguageTag] = []
    for tag in names.compactMap(LanguageTagParser.parse) {
      // In a list, `C` ends the list of wanted translations.
      if tag.isUntranslated { break }
      if !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }
}
