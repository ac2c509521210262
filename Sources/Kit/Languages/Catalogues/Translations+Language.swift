extension Translations {
  /// A language that texts can be shown in.
  ///
  /// A class, so that copies cost one reference.
  public final class Language: Sendable {
    /// The tag of the language.
    public let tag: LanguageTag
    /// The name of the language in that language, such as `Deutsch`.
    public let name: String
    /// The catalogues, in the order in which they are searched.
    private let catalogues: [MessageCatalogue]

    /// Creates a language.
    ///
    /// - Parameters:
    ///   - tag: the tag of the language.
    ///   - name: the name of the language in that language; nil for the tag.
    ///   - catalogues: the catalogues, in the order in which they are searched; each has its own plural forms.
    public init(_ tag: LanguageTag, name: String? = nil, catalogues: [MessageCatalogue]) {
      self.tag = tag
      self.name = name ?? tag.description
      self.catalogues = catalogues
    }

    /// Returns the translation of a text that does not depend on a number, before values are inserted.
    ///
    /// - Parameters:
    ///   - key: the English original.
    ///   - context: the context.
    /// - Returns: the translation; nil if there is none.
    public func translation(of key: String, context: String? = nil) -> String? {
      for catalogue in catalogues {
        if let translation = catalogue.translation(of: key, context: context) { return translation }
      }
      return nil
    }

    /// Returns the translation of a text that depends on a number, before values are inserted.
    ///
    /// - Parameters:
    ///   - key: the English original for the number 1.
    ///   - context: the context.
    ///   - count: the number.
    /// - Returns: the form for the number; nil if there is no translation.
    public func translation(of key: String, context: String? = nil, count: Int) -> String? {
      for catalogue in catalogues {
        if let translation = catalogue.translation(of: key, context: context, count: count) { return translation }
      }
      return nil
    }
  }
}
