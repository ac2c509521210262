import Platform

/// Encodes one value as JSON text.
struct JSONTextEncoder: Encoder {
  /// What has been encoded of a value. A class, because a container is returned before it is filled.
  final class Node {
    var content = Content.nothing

    enum Content {
      case nothing
      case item(Item)
      case array([Item])
      case object([String: Item])
    }
  }

  /// An encoded value.
  enum Item {
    /// A value as it is written.
    case text(String)
    case string(String)
    case json(JSONValue)
    case node(Node)
  }

  let node: Node
  let path: JSONCodingPath
  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - value: value to encode.
  ///   - path: where it is.
  /// - Returns: the encoded value; nil if it encodes nothing.
  /// - Throws: `EncodingError`; otherwise any error that `value` throws.
  static func item<T: Encodable>(of value: T, at path: JSONCodingPath) throws -> Item? {
    if T.self == JSONValue.self, let json = value as? JSONValue { return .json(try checked(json, at: path)) }
    guard path.level < JSONCodingPath.mostLevels else { throw isTooDeep(value, at: path) }
    if let kind = FoundationValue(T.self) {
      guard let item = try kind.item(of: value, at: path) else { throw isUnrepresentable(value, at: path) }
      return item
    }
    let node = Node()
    try value.encode(to: JSONTextEncoder(node: node, path: path))
    switch node.content {
    case .nothing: return nil
    case .item(let item): return item
    case .array, .object: return .node(node)
    }
  }

  private static func checked(_ json: JSONValue, at path: JSONCodingPath) throws -> JSONValue {
    guard path.level + json.depth <= JSONCodingPath.mostLevels else { throw isTooDeep(json, at: path) }
    guard json.isFinite else { throw isUnrepresentable(json, at: path) }
    return json
  }

  private static func isTooDeep(_ value: Any, at path: JSONCodingPath) -> EncodingError {
    .invalidValue(value, .init(codingPath: path.keys, debugDescription: "The value is nested too deeply."))
  }

  fileprivate static func isUnrepresentable(_ value: Any, at path: JSONCodingPath) -> EncodingError {
    .invalidValue(value, .init(codingPath: path.keys, debugDescription: "JSON cannot represent this number."))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([:]) }
    return KeyedEncodingContainer(Keyed(node: node, path: path))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = node.content {} else { node.content = .array([]) }
    return Unkeyed(node: node, path: path)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONValue {
  /// Whether all numbers are finite. Recursive: the coder checks the depth first.
  fileprivate var isFinite: Bool {
    switch self {
    case .number(let value): value.isFinite
    case .array(let elements): elements.allSatisfy(\.isFinite)
    case .object(let members): members.values.allSatisfy(\.isFinite)
    default: true
    }
  }
}

extension JSONTextEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { node.content = .item(.text("null")) }

  func encode<T: Encodable>(_ value: T) throws {
    if let scalar = value as? any JSONScalar {
      guard let item = scalar.item else { throw Self.isUnrepresentable(value, at: path) }
      node.content = .item(item)
    } else {
      node.content = .item(try Self.item(of: value, at: path.deeper) ?? .node(Node()))
    }
  }
}

extension JSONTextEncoder {
  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let path: JSONCodingPath
    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) throws { set(.text("null"), key) }
    func encode(_ value: Bool, forKey key: Key) throws { set(.text(value ? "true" : "false"), key) }
    func encode(_ value: String, forKey key: Key) throws { set(.string(value), key) }
    func encode(_ value: Int, forKey key: Key) throws { set(.text(value.description), key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      set(try JSONTextEncoder.item(of: value, at: path.appending(key)) ?? .node(Node()), key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
      child(key).container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { child(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { child(JSONCodingKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { child(key) }

    private func set(_ item: Item, _ key: any CodingKey) {
      guard case .object(var members) = node.content else { return }
      node.content = .nothing
      members[key.stringValue] = item
      node.content = .object(members)
    }

    private func child(_ key: any CodingKey) -> JSONTextEncoder {
      if case .object(let members) = node.content, case .node(let known)? = members[key.stringValue] {
        return JSONTextEncoder(node: known, path: path.appending(key))
      }
      let child = Node()
      set(.node(child), key)
      return JSONTextEncoder(node: child, path: path.appending(key))
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let node: Node
    let path: JSONCodingPath
    var codingPath: [any CodingKey] { path.keys }

    var count: Int { if case .array(let items) = node.content { items.count } else { 0 } }

    func encodeNil() throws { append(.text("null")) }
    func encode(_ value: String) throws { append(.string(value)) }

    func encode<T: Encodable>(_ value: T) throws {
      append(try JSONTextEncoder.item(of: value, at: path.appending(count)) ?? .node(Node()))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next().container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    func superEncoder() -> any Encoder { next() }

    private func append(_ item: Item) {
      guard case .array(var items) = node.content else { return }
      node.content = .nothing
      items.append(item)
      node.content = .array(items)
    }

    private func next() -> JSONTextEncoder {
      let (child, path) = (Node(), path.appending(count))
      append(.node(child))
      return JSONTextEncoder(node: child, path: path)
    }
  }
}

/// Writes JSON text.
struct JSONTextWriter {
  private var bytes: [UInt8] = []

  /// What has been written.
  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends what a coder has encoded. Recurses no deeper than the coder.
  mutating func append(_ item: JSONTextEncoder.Item) {
    switch item {
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .string(let string): append(quoted: string)
    case .json(let value): append(value)
    case .node(let node):
      switch node.content {
      case .nothing: append(literal: "{}")
      case .item(let item): append(item)
      case .array(let items):
        append(elements: items) { $0.append($1) }
      case .object(let members):
        append(members: members.map { ($0.key, $0.value) }) { $0.append($1) }
      }
    }
  }

  /// Appends a JSON value. Recurses no deeper than the value, which the coder limits.
  private mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append(literal: "null")
    case .boolean(let value): append(literal: value ? "true" : "false")
    case .integer(let value): bytes.append(contentsOf: value.description.utf8)
    case .number(let value): bytes.append(contentsOf: Self.text(of: value).utf8)
    case .string(let value): append(quoted: value)
    case .array(let elements):
      append(elements: elements) { $0.append($1) }
    case .object(let members):
      append(members: members.map { ($0.key, $0.value) }) { $0.append($1) }
    }
  }

  /// Returns a finite number as text.
  static func text(of number: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    let text = number.description
    return text.bytes.dropping(suffix: ".0").map { String($0) } ?? text
  }

  private mutating func append<Element>(elements: [Element], _ body: (inout JSONTextWriter, Element) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      body(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append<Element>(
    members: [(key: String, value: Element)], _ body: (inout JSONTextWriter, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "{"))
    let sorted =
      members.count < 2 ? members : members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, member) in sorted.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(quoted: member.key)
      bytes.append(UInt8(ascii: ":"))
      body(&self, member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  private mutating func append(quoted string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x08: append(literal: "\\b")
      case 0x09: append(literal: "\\t")
      case 0x0A: append(literal: "\\n")
      case 0x0C: append(literal: "\\f")
      case 0x0D: append(literal: "\\r")
      case 0..<0x20:
        append(literal: "\\u00")
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: (digits.utf8.count < 2 ? "0" + digits : digits).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// Encodes values of any type as JSON text, and decodes them: what `JSONEncoder` with sorted keys and `JSONDecoder` of
/// Foundation do, and with the same text, but without linking Foundation.
///
/// In contrast to the coders of ``JSONValue``, a null in an object differs from an absent member, and integers may be as
/// large as `UInt64` permits.
package enum JSONText {
  /// Returns a value as JSON without white space. Keys are sorted by their bytes in UTF-8.
  ///
  /// - Parameter value: value; `Data`, `URL` and `Decimal` of Foundation become base64, a string and a number.
  /// - Returns: the text.
  /// - Throws: `EncodingError` for a number that JSON cannot represent, for more than 512 levels, and for a type that
  ///   encodes nothing; otherwise any error that `value` throws.
  package static func encode(_ value: some Encodable) throws -> String {
    guard let item = try JSONTextEncoder.item(of: value, at: .root) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "\(type(of: value)) did not encode any values."))
    }
    var text = JSONTextWriter()
    text.append(item)
    return text.string
  }

  /// Decodes a value of a type.
  ///
  /// - Parameters:
  ///   - type: type to decode.
  ///   - text: JSON text.
  /// - Returns: the value.
  /// - Throws: `DecodingError`, also if the text is not JSON; otherwise any error that the type throws.
  package static func decode<T: Decodable>(_ type: T.Type, from text: some Sequence<UInt8>) throws -> T {
    let tree: JSONTree
    do {
      tree = try JSONParser.parse(text)
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Not JSON: \(error).", underlyingError: error))
    }
    return try JSONNodeDecoder(node: tree, path: .root).decoded(as: type)
  }
}
