/// Encodes a verbatim text as a string, and any other text as an object with its key. Strings that were stored before texts had
/// keys are therefore decoded as they were shown.
extension Text: Codable {
  private enum CodingKeys: String, CodingKey {
    case key, context, other, count, values
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes a text.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if the value is neither a string nor the object of a text.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(verbatim: text)
      return
    }
    let object = try decoder.container(keyedBy: CodingKeys.self)
    var plural: Plural?
    if let other = try object.decodeIfPresent(String.self, forKey: .other) {
      plural = Plural(other: other, count: try object.decode(Int.self, forKey: .count))
    }
    var values: [(String, any TextValue)] = []
    if object.contains(.values) {
      let named = try object.nestedContainer(keyedBy: Name.self, forKey: .values)
      for name in named.allKeys { values.append((name.stringValue, try named.decode(Value.self, forKey: name))) }
    }
    let key = try object.decode(String.self, forKey: .key)
    let context = try object.decodeIfPresent(String.self, forKey: .context)
    self.init(Message(key: key, context: context, plural: plural, values: Values(values)))
  }

  /// Encodes the text.
  ///
  /// - Parameter encoder: the encoder.
  /// - Throws: the encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    switch content {
    case .verbatim(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .key(let key):
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(key, forKey: .key)
    case .message(let message):
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(message.key, forKey: .key)
      try object.encodeIfPresent(message.context, forKey: .context)
      try object.encodeIfPresent(message.plural?.other, forKey: .other)
      try object.encodeIfPresent(message.plural?.count, forKey: .count)
      guard !message.values.isEmpty else { return }
      var named = object.nestedContainer(keyedBy: Name.self, forKey: .values)
      for entry in message.values.entries { try named.encode(entry.value, forKey: Name(stringValue: entry.name)) }
    }
  }
}

extension Text.Value: Codable, TextValue {
  /// The value itself.
  public var textValue: Text.Value { self }

  /// Decodes a value: a string, an integer, or the object of a text.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if the value has another type.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let text = try? single.decode(String.self) {
      self = .string(text)
    } else if let integer = try? single.decode(Int.self) {
      self = .integer(integer)
    } else {
      self = .text(try Text(from: decoder))
    }
  }

  /// Encodes the value.
  ///
  /// - Parameter encoder: the encoder.
  /// - Throws: the encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try text.encode(to: encoder)
    case .string(let string):
      var container = encoder.singleValueContainer()
      try container.encode(string)
    case .integer(let integer):
      var container = encoder.singleValueContainer()
      try container.encode(integer)
    }
  }
}

/// A type whose values can be inserted into a ``Text``.
///
/// ```swift
/// struct Price: TextValue {
///   var cents: Int
///   var textValue: Text.Value { .string("€\(cents / 100)") }
/// }
///
/// Text("It costs {price}.", ["price": Price(cents: 300)])
/// ```
public protocol TextValue {
  /// The value to insert.
  var textValue: Text.Value { get }
}

extension Text {
  /// A value that is inserted into a text.
  public enum Value: Sendable, Hashable {
    /// A string, inserted as it is.
    case string(String)
    /// An integer, inserted in decimal.
    case integer(Int)
    /// Another text, inserted in the same language.
    case text(Text)
  }

  /// The values of a text's placeholders, by name.
  ///
  /// ```swift
  /// Text("Step {step} of {count}", ["step": step, "count": 4])
  /// ```
  public struct Values: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    struct Entry: Sendable, Hashable {
      var name: String
      var value: Text.Value
    }

    /// Sorted by name, so that equal values are equal. A repeated name does not trap, as it would in a dictionary.
    let entries: [Entry]

    /// Creates values from a literal.
    ///
    /// - Parameter elements: the names and their values; of a repeated name, the first counts.
    public init(dictionaryLiteral elements: (String, any TextValue)...) { self.init(elements) }

    /// Creates values from pairs, such as those of a dictionary.
    ///
    /// - Parameter pairs: the names and their values; of a repeated name, the first counts.
    public init(_ pairs: some Sequence<(String, any TextValue)>) {
      var entries: [Entry] = []
      for (name, value) in pairs where !entries.contains(where: { $0.name == name }) {
        entries.append(Entry(name: name, value: value.textValue))
      }
      entries.sort { $0.name < $1.name }
      self.entries = entries
    }

    /// Whether there are no values.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a placeholder; nil if it has none.
    ///
    /// - Parameter name: the name of the placeholder.
    public subscript(name: String) -> Text.Value? { entries.first { $0.name == name }?.value }
  }
}

extension String: TextValue {
  /// The string, inserted as it is.
  public var textValue: Text.Value { .string(self) }
}

extension Substring: TextValue {
  /// The string, inserted as it is.
  public var textValue: Text.Value { .string(String(self)) }
}

extension Int: TextValue {
  /// The integer, inserted in decimal.
  public var textValue: Text.Value { .integer(self) }
}

extension Text: TextValue {
  /// The text, inserted in the same language as the text around it.
  public var textValue: Text.Value {
    // Both forms have the same meaning; using only one makes equal texts equal.
    if case .verbatim(let text) = content { .string(text) } else { .text(self) }
  }
}
