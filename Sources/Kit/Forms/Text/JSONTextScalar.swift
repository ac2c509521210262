/// A type that the coders of JSON text convert directly.
protocol JSONTextScalar {
  /// Converts a JSON value; nil if it has another type or is out of range.
  init?(tree: JSONTree)
  /// The value as JSON; nil if it cannot be represented.
  var item: JSONTextEncoder.Item? { get }
}

extension Bool: JSONTextScalar {
  init?(tree: JSONTree) {
    guard case .boolean(let value) = tree else { return nil }
    self = value
  }
  var item: JSONTextEncoder.Item? { .text(self ? "true" : "false") }
}

extension String: JSONTextScalar {
  init?(tree: JSONTree) {
    guard case .string(let value) = tree else { return nil }
    self = value
  }
  var item: JSONTextEncoder.Item? { .string(self) }
}

extension JSONTextScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init?(tree: JSONTree) {
    guard let value = tree.number(as: Self.self) else { return nil }
    self = value
  }
  var item: JSONTextEncoder.Item? { isFinite ? .text(JSONTextWriter.text(of: self)) : nil }
}

extension JSONTextScalar where Self: FixedWidthInteger {
  init?(tree: JSONTree) {
    guard let value = tree.integer(as: Self.self) else { return nil }
    self = value
  }
  var item: JSONTextEncoder.Item? { .text(description) }
}

extension Double: JSONTextScalar {}
extension Float: JSONTextScalar {}
extension Int: JSONTextScalar {}
extension Int8: JSONTextScalar {}
extension Int16: JSONTextScalar {}
extension Int32: JSONTextScalar {}
extension Int64: JSONTextScalar {}
extension UInt: JSONTextScalar {}
extension UInt8: JSONTextScalar {}
extension UInt16: JSONTextScalar {}
extension UInt32: JSONTextScalar {}
extension UInt64: JSONTextScalar {}
