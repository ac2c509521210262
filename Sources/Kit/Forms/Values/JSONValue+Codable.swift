extension JSONValue: Codable {
  /// Decodes any JSON value.
  ///
  /// - Parameter decoder: the decoder to read from.
  /// - Throws: `DecodingError` if the decoder does not contain a JSON value.
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

  /// Encodes the value as itself.
  ///
  /// - Parameter encoder: the encoder to write to.
  /// - Throws: `EncodingError` if the encoder does not accept the value.
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
  /// The maximum depth of the coders. Without it, a value of a recursive type could overflow the stack.
  static let maximumCodingDepth = 128

  /// Encodes a value as JSON. An optional that is nil becomes an absent key.
  ///
  /// - Throws: `EncodingError` with its coding path for a number that JSON or `Int64` cannot represent, and for more
  ///   than 128 levels; otherwise any error that `value` throws.
  public init(encoding value: some Encodable) throws {
    self = try JSONValueEncoder.json(of: value, at: [])
  }

  /// Decodes a value of a type. A null is treated as an absent key.
  ///
  /// - Parameter type: the type to decode.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError` with its coding path; otherwise any error that the type throws.
  public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
    try JSONNodeDecoder(node: self, path: .root).decoded(as: type)
  }
}

/// The index of an element in an array, or the key of a superclass.
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
