/// A D-Bus value, with one case for each type of the wire format except Unix file descriptors.
///
/// It is possible to create a value that the wire format cannot represent, such as an array whose elements differ in
/// type: `validated()` detects it, and a connection refuses to send it.
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
  /// `s`: any Unicode string without U+0000.
  case string(String)
  /// `o`
  case objectPath(ObjectPath)
  /// `g`
  case signature(Signature)
  /// `a`: an array whose elements all have the type `of`, which is needed because an empty array has a type too.
  case array(of: SingleType, [Value])
  /// `a{}`: a dictionary, which is an array of entries on the wire. Entries therefore keep their order, and equality
  /// depends on it.
  case dictionary(key: SingleType, value: SingleType, [DictionaryEntry])
  /// `()`: a structure with at least one member.
  case structure([Value])
  /// `v`
  indirect case variant(Value)
}
