/// A type that the coders convert to and from JSON directly.
///
/// The protocols of `Codable` name each of these types individually; this protocol allows a single generic function to
/// handle all of them.
///
/// ```swift
/// extension UInt64: JSONScalar {}
/// ```
protocol JSONScalar {
  /// Converts a JSON value; nil if it has another type or is out of range.
  init?(node: some JSONNode)
  /// The value as a ``JSONValue``; nil if it cannot be represented.
  var json: JSONValue? { get }
  /// The value in a JSON text; nil if it cannot be represented.
  var item: JSONTextEncoder.Item? { get }
}

extension Bool: JSONScalar {
  init?(node: some JSONNode) {
    guard let value = node.boolean else { return nil }
    self = value
  }
  var json: JSONValue? { .boolean(self) }
  var item: JSONTextEncoder.Item? { .text(self ? "true" : "false") }
}

extension String: JSONScalar {
  init?(node: some JSONNode) {
    guard let value = node.string else { return nil }
    self = value
  }
  var json: JSONValue? { .string(self) }
  var item: JSONTextEncoder.Item? { .string(self) }
}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init?(node: some JSONNode) {
    guard let value = node.number(as: Self.self) else { return nil }
    self = value
  }
  var json: JSONValue? { isFinite ? JSONValue(Double(self)) : nil }
  var item: JSONTextEncoder.Item? { isFinite ? .text(JSONTextWriter.text(of: self)) : nil }
}

extension JSONScalar where Self: FixedWidthInteger {
  init?(node: some JSONNode) {
    guard let value = node.integer(as: Self.self) else { return nil }
    self = value
  }
  var json: JSONValue? { Int64(exactly: self).map(JSONValue.integer) }
  var item: JSONTextEncoder.Item? { .text(description) }
}

extension Double: JSONScalar {}
extension Float: JSONScalar {}
extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
