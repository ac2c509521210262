extension JSONValue: Codable {
  /// Takes whatever JSON value the decoder holds.
  ///
  /// - Parameter decoder: what to read from.
  /// - Throws: `DecodingError` if it holds none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self.init(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value as itself.
  ///
  /// - Parameter encoder: what to write to.
  /// - Throws: `EncodingError` if the encoder does not take it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue {
  /// How deep the coders go; a type that contains itself could exhaust the stack otherwise.
  static let maximumCodingDepth = 128

  /// What `value` looks like as JSON. An optional that is nil is an absent key.
  ///
  /// - Throws: `EncodingError`, with its coding path, for a number that JSON or `Int64` cannot hold, and for more than 128
  ///   levels; else what `value` itself throws.
  public init(encoding value: some Encodable) throws {
    self = try JSONValueEncoder.json(of: value, at: [])
  }

  /// A value of a type, made from this one. A null is an absent key.
  ///
  /// - Parameter type: what to make.
  /// - Returns: what was made.
  /// - Throws: `DecodingError`, with its coding path; else what the type itself throws.
  public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
    try JSONValueDecoder(value: self, codingPath: []).decoded(as: type)
  }
}

/// The place of an element in an array, or the key of a superclass.
struct JSONCodingKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  static let `super` = JSONCodingKey(stringValue: "super")

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) {
    self.intValue = intValue
    stringValue = String(intValue)
  }
}
