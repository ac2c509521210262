#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How the values that a flow is made of become text and back: JSON, with its keys in order.
package enum StoredText {
  /// The text of a value.
  ///
  /// - Throws: `EncodingError` for a value that JSON cannot hold.
  package static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The value that a text stands for.
  ///
  /// - Throws: `DecodingError` if it stands for none of that type.
  package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
