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
