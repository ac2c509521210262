/// Encodes values of any type as JSON text, and decodes them: what `JSONEncoder` with sorted keys and `JSONDecoder` of
/// Foundation do, and with the same text, but without linking Foundation.
///
/// In contrast to the coders of ``JSONValue``, a null in an object differs from an absent member, and integers may be as
/// large as `UInt64` permits.
package enum JSONText {
  /// Returns a value as JSON without white space. Keys are sorted by their bytes in UTF-8.
  ///
  /// - Parameter value: value; `Data`, `URL` and `Decimal` of Foundation become base64, a string and a number.
  /// - Returns: the text.
  /// - Throws: `EncodingError` for a number that JSON cannot represent, for more than 512 levels, and for a type that
  ///   encodes nothing; otherwise any error that `value` throws.
  package static func encode(_ value: some Encodable) throws -> String {
    guard let item = try JSONTextEncoder.item(of: value, at: .root) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "\(type(of: value)) did not encode any values."))
    }
    var text = JSONTextWriter()
    text.append(item)
    return text.string
  }

  /// Decodes a value of a type.
  ///
  /// - Parameters:
  ///   - type: type to decode.
  ///   - text: JSON text.
  /// - Returns: the value.
  /// - Throws: `DecodingError`, also if the text is not JSON; otherwise any error that the type throws.
  package static func decode<T: Decodable>(_ type: T.Type, from text: some Sequence<UInt8>) throws -> T {
    let tree: JSONTree
    do {
      tree = try JSONParser.parse(text)
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Not JSON: \(error).", underlyingError: error))
    }
    return try JSONNodeDecoder(node: tree, path: .root).decoded(as: type)
  }
}
