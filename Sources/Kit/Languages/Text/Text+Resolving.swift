extension Text {
  /// Returns the string to show in a language.
  ///
  /// - Parameter language: the language; nil for the English original. Texts without a translation stay English.
  /// - Returns: the string, with the values inserted. A placeholder without a value stays unchanged.
  public func resolved(in language: Translations.Language?) -> String {
    switch content {
    case .verbatim(let text): text
    case .key(let key): Placeholders.expand(language?.translation(of: key) ?? key) { _ in nil }
    case .message(let message): message.resolved(in: language)
    }
  }

  /// Returns the string to show before values are inserted, and a function that inserts them, for a text with marks that
  /// values must not contain.
  ///
  /// - Parameter language: the language; nil for the English original.
  /// - Returns: the string with its placeholders, and the function.
  package func unexpanded(in language: Translations.Language?) -> (pattern: String, insert: (String) -> String) {
    switch content {
    case .verbatim(let text): (text, { $0 })
    case .key(let key): (language?.translation(of: key) ?? key, { Placeholders.expand($0) { _ in nil } })
    case .message(let message): (message.pattern(in: language), { message.expand($0, in: language) })
    }
  }

  /// The string to show in the language of ``Translation/current``.
  public var string: String {
    // Most texts of long lists are names and data, which do not depend on the task's language.
    if case .verbatim(let text) = content { return text }
    return resolved(in: Translation.current)
  }
}

extension Text: CustomStringConvertible {
  /// The string to show in the language of ``Translation/current``.
  public var description: String { string }
}

extension Text.Message {
  fileprivate func resolved(in language: Translations.Language?) -> String { expand(pattern(in: language), in: language) }

  fileprivate func expand(_ pattern: String, in language: Translations.Language?) -> String {
    Placeholders.expand(pattern) { name in
      switch values[name] {
      case .string(let string): string
      case .integer(let integer): String(integer)
      case .text(let text): text.resolved(in: language)
      case nil: name == "count" ? plural.map { String($0.count) } : nil
      }
    }
  }

  /// The translation, or the English original, before values are inserted.
  fileprivate func pattern(in language: Translations.Language?) -> String {
    guard let plural else { return language?.translation(of: key, context: context) ?? key }
    return language?.translation(of: key, context: context, count: plural.count) ?? (plural.count == 1 ? key : plural.other)
  }
}
