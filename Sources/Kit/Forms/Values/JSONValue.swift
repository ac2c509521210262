/// A JSON value, as used in inputs, payloads, results and the values of a form.
///
/// A number without a fraction that fits `Int64` is an `.integer`; `init(_: Double)`, the literals and the coders
/// ensure this. In an object, a null is equivalent to an absent key.
///
/// ```swift
/// let input: JSONValue = ["kanji": "水"]
/// let kanji = input["kanji"]?.string
/// ```
public enum JSONValue: Sendable, Hashable {
  /// Null. As a member of an object, equivalent to an absent member.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number without a fraction that fits `Int64`.
  case integer(Int64)
  /// Any other number. Non-finite numbers cannot be sent.
  case number(Double)
  /// A string.
  case string(String)
  /// An array of elements.
  case array([JSONValue])
  /// An object with members by name.
  case object([String: JSONValue])

  /// Creates a number, as `.integer` if it has no fraction and fits `Int64`.
  public init(_ number: Double) {
    self = Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }
}

// MARK: - Accessors

extension JSONValue {
  /// Whether the value is null.
  public var isNull: Bool { self == .null }

  /// The Boolean; nil if the value is not a Boolean.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The number as an integer; nil if the value is not a number, has a fraction, or does not fit `Int64`.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number, including integers (rounded beyond 2^53); nil if the value is not a number.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The string; nil if the value is not a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements; nil if the value is not an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members; nil if the value is not an object.
  public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

  /// The member with that name; nil if there is none, it is null, or the value is not an object.
  public subscript(name: String) -> JSONValue? {
    guard let member = object?[name], !member.isNull else { return nil }
    return member
  }

  /// The element at that index; nil if there is none, or the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

// MARK: - Literals

// There is no nil literal, because `condition ? value : nil` would become null where an absent value is intended.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a Boolean from `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// Creates an integer from a literal such as `3`.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Creates a number from a literal such as `2.5`; `3.0` becomes the integer 3.
  public init(floatLiteral value: Double) { self.init(value) }

  /// Creates a string from a literal such as `"text"`.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates an array from a literal such as `[1, "two"]`.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates an object from a literal such as `["name": "value"]`; the last value of a repeated name applies.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
