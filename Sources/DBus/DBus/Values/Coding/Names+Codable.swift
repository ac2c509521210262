// With other coders than those of this module, names are the texts that they are.

extension ObjectPath: Codable {
  /// Decodes a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self) as String)
    } catch let error as InvalidName {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Encodes the path as text; `VardictEncoder` makes it an `o`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

extension Signature: Codable {
  /// Decodes a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self) as String)
    } catch let error as InvalidName {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Encodes the type codes as text; `VardictEncoder` makes them a `g`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
