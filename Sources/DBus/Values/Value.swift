/// A D-Bus value, one case for each type of the wire format.
///
/// Source: D-Bus Specification, "Type System".
public indirect enum Value: Sendable, Hashable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(ObjectPath)
  case signature(Signature)
  /// An array whose elements all have the type `of`; needed because an empty array has a type too.
  case array(of: SingleType, [Value])
  /// A dictionary (`a{..}`): an array of entries on the wire, so the order of entries is kept.
  case dictionary(key: SingleType, value: SingleType, [DictionaryEntry])
  case structure([Value])
  case variant(Value)
}
