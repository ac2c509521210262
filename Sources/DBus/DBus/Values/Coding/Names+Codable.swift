// With coders other than those of this module, names are coded as strings.

extension ObjectPath: Codable {
  /// Decodes a path from a string.
  ///
  /// - Throws: `DecodingError` if the string is not an object path.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self) as String)
    } catch let error as InvalidName {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Encodes the path as a string; `VardictEncoder` encodes it as an `o`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

extension Signature: Codable {
  /// Decodes a signature from a string.
  ///
  /// - Throws: `DecodingError` if the string is not a signature.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self) as String)
    } catch let error as InvalidName {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Encodes the type codes as a string; `VardictEncoder` encodes them as a `g`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
