/// A D-Bus value, one case for each type of the wire format, unix file descriptors excepted.
///
/// A value can be built that the wire cannot carry, such as an array whose elements differ in type: `validated()` tells,
/// and a connection refuses to send it.
///
/// Source: D-Bus Specification, "Type System".
public enum Value: Sendable, Hashable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`: any Unicode text without U+0000.
  case string(String)
  /// `o`
  case objectPath(ObjectPath)
  /// `g`
  case signature(Signature)
  /// `a`: an array whose elements all have the type `of`; needed because an empty array has a type too.
  case array(of: SingleType, [Value])
  /// `a{}`: an array of entries on the wire, so the order of entries is kept, and equality sees it.
  case dictionary(key: SingleType, value: SingleType, [DictionaryEntry])
  /// `()`: one member at least.
  case structure([Value])
  /// `v`
  indirect case variant(Value)
}
