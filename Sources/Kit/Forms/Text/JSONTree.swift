/// A JSON text from which typed values are decoded: numbers keep their spelling, and null is a value. ``JSONNode`` explains why
/// it is not a ``JSONValue``.
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

  static var isNullAbsent: Bool { false }
  static var mostCodingLevels: Int { JSONCodingPath.mostLevels }

  var isNull: Bool { if case .null = self { true } else { false } }
  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var array: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
  var members: [String: JSONTree]? { if case .object(let members) = self { members } else { nil } }

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

  func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
    switch self {
    case .integer(let value): Number(exactly: value)
    case .numeral(let text): Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
    default: nil
    }
  }

  func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(as type: Number.Type) -> Number? {
    switch self {
    case .integer(let value): Number(value)
    case .numeral(let text): Number(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  func plain<T>(for type: T.Type) -> JSONTree? {
    guard let special = FoundationValue(type) else { return self }
    return special.plain(self)
  }

  var kind: String {
    switch self {
    case .null: "nothing"
    case .boolean: "a boolean"
    case .integer, .numeral: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
