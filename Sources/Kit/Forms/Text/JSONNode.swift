/// A node that a ``JSONParser`` makes of a text, and that a ``JSONNodeDecoder`` decodes.
///
/// There are two kinds, for a reason. ``JSONValue`` is the form of flows, payloads and the bus: a number is an `Int64` or a
/// `Double`, and a null member equals an absent one. ``JSONTree`` is the stored form of typed values, which must be restored
/// exactly: `UInt64` and `Decimal` have more digits than a `Double`, so numbers keep their spelling, and null differs from an
/// absent member. This protocol contains all that differs in decoding.
protocol JSONNode {
  /// The value null.
  static var null: Self { get }

  static func boolean(_ value: Bool) -> Self

  /// Returns a number without fraction and exponent that fits `Int64`.
  static func integer(_ value: Int64) -> Self

  /// Returns any other number; nil if it cannot be represented.
  ///
  /// - Parameter text: the number in its JSON form.
  /// - Returns: the number.
  static func numeral(_ text: String) -> Self?

  static func string(_ value: String) -> Self
  static func array(_ elements: [Self]) -> Self
  static func object(_ members: [String: Self]) -> Self

  // MARK: Decoding

  /// Whether a member that is null is the same as none.
  static var isNullAbsent: Bool { get }

  /// The most levels that are decoded. Without a limit, a value of a recursive type could overflow the stack.
  static var mostCodingLevels: Int { get }

  var isNull: Bool { get }
  /// The Boolean; nil if the value is not a Boolean.
  var boolean: Bool? { get }
  /// The string; nil if the value is not a string.
  var string: String? { get }
  /// The elements; nil if the value is not an array.
  var array: [Self]? { get }
  /// The members that there are; nil if the value is not an object.
  var members: [String: Self]? { get }

  /// Returns the number as an integer of a type; nil if it is not a number, has a fraction, or is out of range.
  func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number?

  /// Returns the number as a `Double` or `Float`; nil if it is not a number, or out of range.
  func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(as type: Number.Type) -> Number?

  /// The value as a ``JSONValue``; nil if a number in it is larger than a `Double` can be.
  var value: JSONValue? { get }

  /// Returns what a type decodes itself from: the value, unless the coders treat the type specially; nil if it cannot be one
  /// of the type's values.
  func plain<T>(for type: T.Type) -> Self?

  /// What the value is, for an error: `a string`.
  var kind: String { get }
}

extension JSONValue: JSONNode {
  static func numeral(_ text: String) -> JSONValue? {
    guard let number = Double(text), number.isFinite else { return nil }
    return JSONValue(number)
  }

  static var isNullAbsent: Bool { true }
  static var mostCodingLevels: Int { maximumCodingDepth + 1 }
  var members: [String: JSONValue]? { object?.filter { !$0.value.isNull } }
  func integer<Number: FixedWidthInteger>(as type: Number.Type) -> Number? { integer.flatMap { Number(exactly: $0) } }
  func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(as type: Number.Type) -> Number? {
    number.map { Number($0) }
  }
  var value: JSONValue? { self }
  func plain<T>(for type: T.Type) -> JSONValue? { self }

  var kind: String {
    switch self {
    case .null: "nothing"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// Parses a JSON text (RFC 8259). Members that are null are kept.
  ///
  /// Of members with the same name, the first one applies. A comma may follow the last element or member, because people who
  /// edit files by hand often leave one.
  ///
  /// - Parameter bytes: the text in UTF-8, which may begin with a byte order mark.
  /// - Throws: ``JSONSyntaxError``.
  package init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes)
  }

  /// Parses a JSON text; returns nil if it is not JSON.
  ///
  /// - Parameter text: the text.
  package init?(json text: String) {
    guard let value = try? JSONValue(parsing: text.utf8) else { return nil }
    self = value
  }
}
