/// A Swift type that corresponds to one basic D-Bus type.
protocol BasicValue: Codable {
  /// The D-Bus type to encode to.
  static var basicType: SingleType { get }
  /// The D-Bus value to encode to.
  var basicValue: Value { get }
  /// Decodes a value of this or a convertible type, inside any number of variants; nil if there is none.
  init?(basic value: Value)
}

extension Bool: BasicValue {
  static var basicType: SingleType { .boolean }
  var basicValue: Value { .boolean(self) }
  init?(basic value: Value) {
    guard let bool = value.bool else { return nil }
    self = bool
  }
}

extension String: BasicValue {
  static var basicType: SingleType { .string }
  var basicValue: Value { .string(self) }
  init?(basic value: Value) {
    guard let string = value.string else { return nil }
    self = string
  }
}

extension ObjectPath: BasicValue {
  static var basicType: SingleType { .objectPath }
  var basicValue: Value { .objectPath(self) }
  init?(basic value: Value) {
    guard let path = value.objectPath else { return nil }
    self = path
  }
}

extension Signature: BasicValue {
  static var basicType: SingleType { .signature }
  var basicValue: Value { .signature(self) }
  init?(basic value: Value) {
    guard case .signature(let signature) = value.unwrapped else { return nil }
    self = signature
  }
}

extension Double: BasicValue {
  static var basicType: SingleType { .double }
  var basicValue: Value { .double(self) }
  init?(basic value: Value) {
    guard let double = value.double else { return nil }
    self = double
  }
}

extension Float: BasicValue {
  static var basicType: SingleType { .double }
  var basicValue: Value { .double(Double(self)) }
  init?(basic value: Value) {
    guard let double = value.double else { return nil }
    self.init(double)
  }
}

extension BasicValue where Self: FixedWidthInteger {
  init?(basic value: Value) {
    guard let integer = value.exactInteger(as: Self.self) else { return nil }
    self = integer
  }
}

extension Int: BasicValue {
  static var basicType: SingleType { .int64 }
  var basicValue: Value { .int64(Int64(self)) }
}

/// The wire format has no signed octet.
extension Int8: BasicValue {
  static var basicType: SingleType { .int16 }
  var basicValue: Value { .int16(Int16(self)) }
}

extension Int16: BasicValue {
  static var basicType: SingleType { .int16 }
  var basicValue: Value { .int16(self) }
}

extension Int32: BasicValue {
  static var basicType: SingleType { .int32 }
  var basicValue: Value { .int32(self) }
}

extension Int64: BasicValue {
  static var basicType: SingleType { .int64 }
  var basicValue: Value { .int64(self) }
}

extension UInt: BasicValue {
  static var basicType: SingleType { .uint64 }
  var basicValue: Value { .uint64(UInt64(self)) }
}

extension UInt8: BasicValue {
  static var basicType: SingleType { .byte }
  var basicValue: Value { .byte(self) }
}

extension UInt16: BasicValue {
  static var basicType: SingleType { .uint16 }
  var basicValue: Value { .uint16(self) }
}

extension UInt32: BasicValue {
  static var basicType: SingleType { .uint32 }
  var basicValue: Value { .uint32(self) }
}

extension UInt64: BasicValue {
  static var basicType: SingleType { .uint64 }
  var basicValue: Value { .uint64(self) }
}

/// A collection whose element type is known even if it is empty.
protocol BasicCollection {
  /// The type of every element.
  static var elementType: SingleType { get }
}

extension Array: BasicCollection where Element: BasicValue {
  static var elementType: SingleType { Element.basicType }
}

extension Set: BasicCollection where Element: BasicValue {
  static var elementType: SingleType { Element.basicType }
}
