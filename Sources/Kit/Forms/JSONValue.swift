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

extension JSONValue {
  /// The approximate size in bytes, in memory or in a message, within a small factor.
  package var roughSize: Int {
    switch self {
    case .null, .boolean, .integer, .number: 16
    case .string(let text): 16 + text.utf8.count
    case .array(let elements): elements.reduce(16) { $0 + $1.roughSize }
    case .object(let members): members.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.roughSize }
    }
  }
}

extension JSONValue {
  /// Whether every transport can represent the value: it contains no null in an array, no non-finite number, and no
  /// string with a NUL.
  ///
  /// Recursive, so check ``depth`` first.
  package var canBeSent: Bool {
    switch self {
    case .null, .boolean, .integer: true
    case .number(let number): number.isFinite
    case .string(let text): !text.utf8.contains(0)
    case .array(let elements): elements.allSatisfy { !$0.isNull && $0.canBeSent }
    case .object(let members): members.allSatisfy { !$0.key.utf8.contains(0) && $0.value.canBeSent }
    }
  }
}

extension [JSONValue] {
  /// Whether two entries are equal in JSON Schema.
  var haveEqualEntries: Bool {
    var seen: Set<[UInt8]> = []
    return contains { !seen.insert($0.identity).inserted }
  }
}

extension JSONValue {
  /// A byte sequence that is the same for two values exactly if they are equal in JSON Schema: numbers are compared by value,
  /// strings by code points, and null differs from an absent key. (Swift's `==` considers canonically equivalent strings
  /// equal.)
  var identity: [UInt8] { Array(text(omittingNulls: false).utf8) }

  /// Returns whether both are the same string, number or Boolean in JSON Schema.
  func isSameScalar(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer, .integer), (.integer, .number), (.number, .integer): integer == other.integer
    case (.number(let left), .number(let right)): left == right
    default: false
    }
  }
}

extension JSONValue: Codable {
  /// Decodes any JSON value.
  ///
  /// - Parameter decoder: the decoder to read from.
  /// - Throws: `DecodingError` if the decoder does not contain a JSON value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self.init(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the value as itself.
  ///
  /// - Parameter encoder: the encoder to write to.
  /// - Throws: `EncodingError` if the encoder does not accept the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue {
  /// The maximum depth of the coders. Without it, a value of a recursive type could overflow the stack.
  static let maximumCodingDepth = 128

  /// Encodes a value as JSON. An optional that is nil becomes an absent key.
  ///
  /// - Throws: `EncodingError` with its coding path for a number that JSON or `Int64` cannot represent, and for more
  ///   than 128 levels; otherwise any error that `value` throws.
  public init(encoding value: some Encodable) throws {
    self = try JSONValueEncoder.json(of: value, at: [])
  }

  /// Decodes a value of a type. A null is treated as an absent key.
  ///
  /// - Parameter type: the type to decode.
  /// - Returns: the decoded value.
  /// - Throws: `DecodingError` with its coding path; otherwise any error that the type throws.
  public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
    try JSONNodeDecoder(node: self, path: .root).decoded(as: type)
  }
}

/// The index of an element in an array, or the key of a superclass.
struct JSONCodingKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  static let `super` = JSONCodingKey(stringValue: "super")

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) {
    self.intValue = intValue
    stringValue = String(intValue)
  }
}
