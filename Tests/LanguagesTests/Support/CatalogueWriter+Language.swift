import Languages

extension CatalogueWriter {
  /// Returns a language with these messages only.
  func language(_ tag: String) throws -> Translations.Language {
    try Translations.Language(LanguageTag(tag), catalogues: [catalogue()])
  }
}
