/// Makes Swift types from dictionaries of values (`a{sv}`): the counterpart of `VardictEncoder`, lenient towards clients written
/// in other languages.
///
/// Any integer type is taken that holds a number that fits, integers for floating-point numbers that hold them exactly, variants
/// within variants, any array (structures, too), and for nested objects any dictionary with strings as keys. Unknown keys are
/// ignored.
public struct VardictDecoder: Sendable {
  /// Makes a decoder.
  public init() {}

  /// Decodes the values of an `a{sv}`.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - dictionary: The values by key, in variants or not.
  /// - Returns: What was decoded.
  /// - Throws: `DecodingError`, with the coding path; whatever `type` itself throws.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from dictionary: [String: Value]) throws -> T {
    try decode(type, from: .vardict(dictionary))
  }

  /// Decodes a value of any type.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - value: The value, in variants or not.
  /// - Returns: What was decoded.
  /// - Throws: `DecodingError`, with the coding path; whatever `type` itself throws.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from value: Value) throws -> T {
    try ValueDecoder(value: value, codingPath: []).decode(type)
  }
}
