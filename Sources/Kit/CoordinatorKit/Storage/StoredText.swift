#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes the values of a flow as strings, and decodes them: JSON with sorted keys.
package enum StoredText {
  /// Returns the encoded form of a value.
  ///
  /// - Throws: `EncodingError` if the value cannot be represented in JSON.
  package static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns the value that a string encodes.
  ///
  /// - Throws: `DecodingError` if the string does not encode a value of that type.
  package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
