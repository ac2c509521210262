import Forms

/// Encodes the values of a flow as strings, and decodes them: JSON with sorted keys.
package enum StoredText {
  /// Returns the encoded form of a value.
  ///
  /// - Throws: `EncodingError` if the value cannot be represented in JSON.
  package static func encode(_ value: some Encodable) throws -> String {
    try JSONText.encode(value)
  }

  /// Returns the value that a string encodes.
  ///
  /// - Throws: `DecodingError` if the string does not encode a value of that type.
  package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try JSONText.decode(type, from: text.utf8)
  }
}
