/// Encodes Swift types as dictionaries of values (`a{sv}`).
///
/// Objects become `a{sv}`, Booleans `b`, strings `s`, `ObjectPath` `o`, `Signature` `g`, floating-point numbers `d`,
/// and integers the D-Bus type of the same width (`Int` becomes `x`, `UInt` `t`, and `Int8`, which has no counterpart,
/// `n`). Arrays have the type of their elements if all have the same type, and are `av` otherwise; empty arrays of
/// non-basic types are also `av`. A nil becomes an absent key.
public struct VardictEncoder: Sendable {
  /// Creates an encoder.
  public init() {}

  /// Encodes a value that has keys, such as a structure.
  ///
  /// - Parameter value: the value to encode.
  /// - Returns: the values by key, without variants around them, which `Value.vardict(_:)` adds.
  /// - Throws: `EncodingError` with the coding path for a value without keys, a nil in an array, or more than 64
  ///   levels; any error that `value` itself throws. Strings are not checked for U+0000; use `Value.validated()` for
  ///   that.
  public func encode<T: Encodable>(_ value: T) throws -> [String: Value] {
    let node = EncodedNode()
    try node.encode(value, at: [])
    guard let object = try node.object(at: []) else {
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "Only what has keys becomes an a{sv}."))
    }
    return object
  }
}
