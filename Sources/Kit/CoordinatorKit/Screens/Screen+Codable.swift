/// A screen is stored as JSON, with the keys of the contract.
extension Screen: Codable {
  /// Reads a screen. Whatever an author may leave out may be missing: earlier versions have stored what authors sent.
  ///
  /// - Throws: ``MalformedScreen``, `JSONConversionError` or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try self.init(describedAs: decoder.singleValueContainer().decode([String: JSONValue].self))
  }

  /// Writes the screen.
  ///
  /// - Throws: `JSONConversionError` if a value or the schema holds what D-Bus cannot say, or is nested too deep.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}
