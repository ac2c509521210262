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
