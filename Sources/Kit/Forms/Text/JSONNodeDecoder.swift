/// Decodes from one JSON value.
struct JSONNodeDecoder<Node: JSONNode>: Decoder {
  let node: Node
  let path: JSONCodingPath
  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = node.members else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(Keyed(members: members, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = node.array else { throw mismatch([JSONValue].self) }
    return Unkeyed(elements: elements, path: path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decoded<T: Decodable>(as type: T.Type) throws -> T {
    if T.self == JSONValue.self {
      guard let value = node.value as? T else { throw mismatch(Double.self) }
      return value
    }
    guard path.level <= Node.mostCodingLevels else {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "The value is nested too deeply."))
    }
    guard let plain = node.plain(for: type) else { throw mismatch(type) }
    return try T(from: JSONNodeDecoder(node: plain, path: path))
  }

  fileprivate func scalar<T: JSONScalar>(_ type: T.Type) throws -> T {
    guard let value = T(node: node) else { throw mismatch(type) }
    return value
  }

  /// Mentions only the types, not the value, because it may be confidential.
  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(type), but found \(node.kind).")
    return node.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension JSONNodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // Another type may ask for the same value again, and so for ever.
    guard let scalar = type as? any JSONScalar.Type else {
      return try JSONNodeDecoder(node: node, path: path.deeper).decoded(as: type)
    }
    guard let value = scalar.init(node: node) as? T else { throw mismatch(type) }
    return value
  }
}

extension JSONNodeDecoder {
  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: Node]
    let path: JSONCodingPath
    var codingPath: [any CodingKey] { path.keys }

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
      if Node.isNullAbsent, members[key.stringValue] == nil { return true }
      return try decoder(for: key).decodeNil()
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(for: key).scalar(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(for: key).scalar(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(for: key).scalar(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(for: key).decoded(as: type) }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
      try nested(key).container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { existingOrNull(JSONCodingKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { existingOrNull(key) }

    private func decoder(for key: Key) throws -> JSONNodeDecoder {
      guard let member = members[key.stringValue] else {
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing."))
      }
      return JSONNodeDecoder(node: member, path: path.appending(key))
    }

    private func nested(_ key: Key) throws -> JSONNodeDecoder {
      Node.isNullAbsent ? existingOrNull(key) : try decoder(for: key)
    }

    private func existingOrNull(_ key: any CodingKey) -> JSONNodeDecoder {
      JSONNodeDecoder(node: members[key.stringValue] ?? .null, path: path.appending(key))
    }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let elements: [Node]
    let path: JSONCodingPath
    var codingPath: [any CodingKey] { path.keys }
    var currentIndex = 0

    init(elements: [Node], path: JSONCodingPath) {
      self.elements = elements
      self.path = path
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
      guard try current().decodeNil() else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode(_ type: String.Type) throws -> String {
      let result = try current().scalar(type)
      currentIndex += 1
      return result
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      let result = try current().decoded(as: type)
      currentIndex += 1
      return result
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder().container(keyedBy: keyedBy)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try superDecoder().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder {
      let decoder = try current()
      currentIndex += 1
      return decoder
    }

    private func current() throws -> JSONNodeDecoder {
      let path = path.appending(currentIndex)
      guard !isAtEnd else {
        let context = DecodingError.Context(codingPath: path.keys, debugDescription: "There are no more elements.")
        throw DecodingError.valueNotFound(JSONValue.self, context)
      }
      return JSONNodeDecoder(node: elements[currentIndex], path: path)
    }
  }
}

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

/// The reason why a text is not JSON. Does not quote the text, which may be confidential.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error.
  package enum Reason: String, Sendable, Hashable {
    /// The text ends within a value, or is empty.
    case end = "the text ends too early"
    /// A character that is not allowed here.
    case character = "an unexpected character"
    /// Bytes that are not UTF-8, or half of a surrogate pair.
    case encoding = "a character that is not valid Unicode"
    /// The name of a member that is canonically equivalent to another one, but has other bytes.
    case name = "a name with the same characters as another one, but with other bytes"
    /// A number that is malformed, or larger than a `Double` can be.
    case number = "an invalid number"
    /// More than 512 levels of arrays and objects.
    case depth = "too many levels of arrays and objects"
  }

  /// The kind of error.
  package let reason: Reason
  /// The position of the error, in bytes from the beginning of the text.
  package let offset: Int
  /// The number of the line, from 1.
  package let line: Int

  /// A message with the reason and the line.
  package var description: String { "\(reason.rawValue) in line \(line)" }
}
