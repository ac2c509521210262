/// Decodes Swift types from dictionaries of values (`a{sv}`). The counterpart of `VardictEncoder`, lenient towards
/// clients written in other languages.
///
/// Accepts any integer type whose value fits, integers in place of floating-point numbers that represent them exactly,
/// nested variants, any array or structure as an array, and any dictionary with string keys as a nested object. Unknown
/// keys are ignored.
public struct VardictDecoder: Sendable {
  /// Creates a decoder.
  public init() {}

  /// Decodes the values of an `a{sv}`.
  ///
  /// - Parameters:
  ///   - type: the type to decode.
  ///   - dictionary: the values by key, with or without variants around them.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError` with the coding path, or any error that `type` itself throws.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from dictionary: [String: Value]) throws -> T {
    try decode(type, from: .vardict(dictionary))
  }

  /// Decodes a value of any type.
  ///
  /// - Parameters:
  ///   - type: the type to decode.
  ///   - value: the value, with or without variants around it.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError` with the coding path, or any error that `type` itself throws.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from value: Value) throws -> T {
    try ValueDecoder(value: value, codingPath: []).decode(type)
  }
}
