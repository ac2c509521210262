/// A text that users read, in the language in which it is shown.
///
/// A text is not a string: it consists of the English original, which is also the key of its translations, and the values to
/// insert. It becomes a string when a screen is computed, in the language of the flow tree.
///
/// ```swift
/// let title: Text = "What is the visit for?"
/// let body = Text("Welcome, {name}", ["name": account.name])
/// let count = Text(one: "{count} appointment", other: "{count} appointments", count: appointments.count)
/// let proper = Text(verbatim: product.title)
/// ```
///
/// Values replace placeholders in braces; `{{` and `}}` stand for single braces. A placeholder without a value stays unchanged,
/// so that the mistake is visible. String interpolation would change the key, and does not compile.
public struct Text: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case verbatim(String)
    /// A key without anything else, as in most texts. It is stored inline, so that creating one allocates nothing.
    case key(String)
    indirect case message(Message)
  }

  /// A key with values, a context or plural forms.
  struct Message: Sendable, Hashable {
    var key: String
    var context: String?
    var plural: Plural?
    var values: Values
  }

  /// The plural forms of a message that depends on a number.
  struct Plural: Sendable, Hashable {
    /// The English original for every number but one.
    var other: String
    var count: Int
  }

  let content: Content

  /// Creates a text from its key.
  ///
  /// - Parameters:
  ///   - key: the English original, with placeholders such as `{name}`.
  ///   - values: the values of the placeholders, by name.
  ///   - context: distinguishes this text from another one with the same original, such as `verb`; translators read it.
  public init(_ key: Key, _ values: Values = [:], context: Key? = nil) {
    self.init(Message(key: key.text, context: context?.text, plural: nil, values: values))
  }

  /// Creates a text that depends on a number. The placeholder `{count}` stands for the number.
  ///
  /// - Parameters:
  ///   - one: the English original for the number 1, such as `{count} appointment`.
  ///   - other: the English original for all other numbers.
  ///   - count: the number.
  ///   - values: the values of the other placeholders, by name.
  ///   - context: distinguishes this text from another one with the same original; translators read it.
  public init(one: Key, other: Key, count: Int, _ values: Values = [:], context: Key? = nil) {
    let plural = Plural(other: other.text, count: count)
    self.init(Message(key: one.text, context: context?.text, plural: plural, values: values))
  }

  /// Creates a text that is the same in all languages, such as a name or a text from another program.
  ///
  /// - Parameter text: the text. Braces in it have no meaning.
  public init(verbatim text: String) { content = .verbatim(text) }

  /// Explains why a string is not a text.
  ///
  /// - Parameter text: a string that no catalogue of translations can know.
  @available(
    *, unavailable,
    message: "a text is found by its key: write Text(\"Welcome, {name}\", [\"name\": name]), or Text(verbatim:)"
  )
  public init(_ text: String) { content = .verbatim(text) }

  init(_ message: Message) {
    let isPlain = message.context == nil && message.plural == nil && message.values.isEmpty
    content = isPlain ? .key(message.key) : .message(message)
  }

  /// The English original, which is the key of the translations; nil if the text is verbatim.
  public var key: String? {
    switch content {
    case .verbatim: nil
    case .key(let key): key
    case .message(let message): message.key
    }
  }
}

extension Text: ExpressibleByStringLiteral {
  /// Creates a text whose key is a literal.
  ///
  /// - Parameter key: the English original.
  public init(stringLiteral key: String) { content = .key(key) }
}

extension Text {
  /// The English original of a text, or its context: a string literal without interpolation, because only literals
  /// can be found in the sources and translated.
  public struct Key: Sendable, Hashable, ExpressibleByStringLiteral {
    let text: String

    /// Creates a key from a literal.
    ///
    /// - Parameter text: the literal.
    public init(stringLiteral text: String) { self.text = text }
  }
}

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

/// The language in which texts become strings.
public enum Translation {
  /// The language of the task; nil for the English originals. Set it around the code that computes screens:
  ///
  /// ```swift
  /// let screen = Translation.$current.withValue(language) { coordinator.screen(for: route) }
  /// ```
  @TaskLocal public static var current: Translations.Language?
}

/// Inserts values for placeholders such as `{name}` in texts. A name consists of ASCII letters, digits and `_`, and does not
/// begin with a digit, so that msgfmt can check translations (`python-brace-format`).
enum Placeholders {
  /// Inserts values for the placeholders of a text.
  ///
  /// - Parameters:
  ///   - pattern: the text, in which `{{` and `}}` stand for single braces.
  ///   - value: returns the value of a placeholder by its name; nil if it has none.
  /// - Returns: the text with values. Placeholders without a value, and single braces, stay as they are.
  static func expand(_ pattern: String, value: (String) -> String?) -> String {
    // Most texts have no placeholders: they are returned without a copy.
    guard hasBrace(pattern) else { return pattern }
    let bytes = Array(pattern.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if isBrace(byte), position + 1 < bytes.count, bytes[position + 1] == byte {
        result.append(byte)
        position += 2
      } else if let name = placeholder(in: bytes, at: position), let inserted = value(name) {
        result += inserted.utf8
        position += name.utf8.count + 2
      } else {
        result.append(byte)
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the name of the placeholder at a position; nil if there is none.
  private static func placeholder(in bytes: [UInt8], at position: Int) -> String? {
    guard bytes[position] == UInt8(ascii: "{") else { return nil }
    let name = bytes[(position + 1)...].prefix(while: isNamePart)
    guard let first = name.first, !isDigit(first) else { return nil }
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "}") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Searches the bytes in place, which is several times as fast as a search by the indices of a string.
  private static func hasBrace(_ pattern: String) -> Bool {
    pattern.utf8.withContiguousStorageIfAvailable { $0.contains(where: isBrace) } ?? true
  }

  private static func isBrace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return UInt8(ascii: "a")...UInt8(ascii: "z") ~= lower || isDigit(byte) || byte == UInt8(ascii: "_")
  }
}
