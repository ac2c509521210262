/// Makes dictionaries of values (`a{sv}`) from Swift types.
///
/// Objects become `a{sv}`, booleans `b`, texts `s`, `ObjectPath` `o`, `Signature` `g`, floating-point numbers `d`, integers the
/// D-Bus type of the same width (`Int` is `x`, `UInt` `t`, `Int8`, for which there is none, `n`). Arrays have the type of their
/// elements if that is the same for all, else they are `av`; an empty array of anything but basic types is an `av`, too. A nil is
/// an absent key.
public struct VardictEncoder: Sendable {
  /// Makes an encoder.
  public init() {}

  /// Encodes something that has keys, such as a structure.
  ///
  /// - Parameter value: What to encode.
  /// - Returns: The values by key, not wrapped in variants: `Value.vardict(_:)` does that.
  /// - Throws: `EncodingError`, with the coding path, for something without keys, a nil in an array and more than 64 levels;
  ///   whatever `value` itself throws. Texts are not searched for U+0000: `Value.validated()` is for that.
  public func encode<T: Encodable>(_ value: T) throws -> [String: Value] {
    let node = EncodedNode()
    try node.encode(value, at: [])
    guard let object = try node.object(at: []) else {
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "Only what has keys becomes an a{sv}."))
    }
    return object
  }
}
