/// A type that the coders convert to and from a `JSONValue` directly.
///
/// The protocols of `Codable` name each of these types individually; this protocol allows a single generic function to
/// handle all of them.
///
/// ```swift
/// extension UInt64: JSONScalar {}
/// ```
protocol JSONScalar {
  /// Converts a JSON value; nil if it has another type or is out of range.
  init?(json: JSONValue)
  /// The value as JSON; nil if it cannot be represented.
  var json: JSONValue? { get }
}

extension JSONValue: JSONScalar {
  init?(json: JSONValue) { self = json }
  var json: JSONValue? { self }
}

extension Bool: JSONScalar {
  init?(json: JSONValue) {
    guard let value = json.boolean else { return nil }
    self = value
  }
  var json: JSONValue? { .boolean(self) }
}

extension String: JSONScalar {
  init?(json: JSONValue) {
    guard let value = json.string else { return nil }
    self = value
  }
  var json: JSONValue? { .string(self) }
}

extension Double: JSONScalar {
  init?(json: JSONValue) {
    guard let value = json.number else { return nil }
    self = value
  }
  var json: JSONValue? { isFinite ? JSONValue(self) : nil }
}

extension Float: JSONScalar {
  init?(json: JSONValue) {
    guard let value = json.number else { return nil }
    self.init(value)
  }
  var json: JSONValue? { isFinite ? JSONValue(Double(self)) : nil }
}

extension JSONScalar where Self: FixedWidthInteger {
  init?(json: JSONValue) {
    guard let value = json.integer else { return nil }
    self.init(exactly: value)
  }
  var json: JSONValue? { Int64(exactly: self).map(JSONValue.integer) }
}

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
