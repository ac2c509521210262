extension Text {
  /// Returns the string to show in a language.
  ///
  /// - Parameter language: the language; nil for the English original. What it does not translate stays English.
  /// - Returns: the string, with the values inserted. A placeholder without a value stays as it is.
  public func resolved(in language: Translations.Language?) -> String {
    switch content {
    case .verbatim(let text): text
    case .key(let key): Placeholders.expand(language?.translation(of: key) ?? key) { _ in nil }
    case .message(let message): message.resolved(in: language)
    }
  }

  /// The string to show in the language of ``Translation/current``.
  public var string: String { resolved(in: Translation.current) }
}

extension Text: CustomStringConvertible {
  /// The string to show in the language of ``Translation/current``.
  public var description: String { string }
}

extension Text.Message {
  fileprivate func resolved(in language: Translations.Language?) -> String {
    Placeholders.expand(pattern(in: language)) { name in
      switch values[name] {
      case .string(let string): string
      case .integer(let integer): String(integer)
      case .text(let text): text.resolved(in: language)
      case nil: name == "count" ? plural.map { String($0.count) } : nil
      }
    }
  }

  /// The translation, or the English original, before values are inserted.
  private func pattern(in language: Translations.Language?) -> String {
    guard let plural else { return language?.translation(of: key, context: context) ?? key }
    return language?.translation(of: key, context: context, count: plural.count) ?? (plural.count == 1 ? key : plural.other)
  }
}
