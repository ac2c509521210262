/// A JSON text from which typed values are decoded: numbers keep their spelling, and null is a value.
enum JSONTree: JSONNode {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Any other number, in its original spelling.
  case numeral(text: String)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  static func numeral(_ text: String) -> JSONTree? { .numeral(text: text) }

  /// The value as a ``JSONValue``; nil if a number in it is larger than a `Double` can be.
  var value: JSONValue? {
    switch self {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .numeral(let text): return .numeral(text)
    case .string(let value): return .string(value)
    case .array(let elements):
      let values = elements.compactMap(\.value)
      return values.count == elements.count ? .array(values) : nil
    case .object(let members):
      let values = members.compactMapValues(\.value)
      return values.count == members.count ? .object(values) : nil
    }
  }

  /// Returns the number as an integer of a type; nil if it is not a number, has a fraction, or is out of range.
  func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
    switch self {
    case .integer(let value): Number(exactly: value)
    case .numeral(let text): Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
    default: nil
    }
  }

  /// Returns the number as a `Double` or `Float`; nil if it is not a number, or out of range.
  func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(as type: Number.Type) -> Number? {
    switch self {
    case .integer(let value): Number(value)
    case .numeral(let text): Number(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }
}
