/// A value as JSON knows it: what inputs, payloads, results and the values of a form are made of.
///
/// A number without a fraction that fits `Int64` is an `.integer`; `init(_: Double)`, the literals and the coders keep to
/// that. In an object, a null means the same as an absent key.
public enum JSONValue: Sendable, Hashable {
  /// Nothing; as a member of an object the same as no member.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number without a fraction that fits `Int64`.
  case integer(Int64)
  /// Any other number. What is not finite cannot be sent.
  case number(Double)
  /// A text.
  case string(String)
  /// Elements in order.
  case array([JSONValue])
  /// Members by name.
  case object([String: JSONValue])

  /// The number, as `.integer` if it has no fraction and fits.
  public init(_ number: Double) {
    self = Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }
}

// MARK: - Accessors

extension JSONValue {
  /// Whether this is a null.
  public var isNull: Bool { self == .null }

  /// The boolean, or nil if this is something else.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The number if it has no fraction and fits, however it is held; nil if this is something else.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number, integers included (rounded beyond 2^53); nil if this is something else.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The text, or nil if this is something else.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, or nil if this is no array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members, or nil if this is no object.
  public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

  /// The member of that name; nil if there is none, if it is null, or if this is no object.
  public subscript(name: String) -> JSONValue? {
    guard let member = object?[name], !member.isNull else { return nil }
    return member
  }

  /// The element at that index; nil if there is none, or if this is no array.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

// MARK: - Literals

// No nil literal: `condition ? value : nil` would be a null where no value at all is meant.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `true` and `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// `3`.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// `2.5`; `3.0` is the integer 3.
  public init(floatLiteral value: Double) { self.init(value) }

  /// `"text"`.
  public init(stringLiteral value: String) { self = .string(value) }

  /// `[1, "two"]`.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// `["name": "value"]`; of a name given twice the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
