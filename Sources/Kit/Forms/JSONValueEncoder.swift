/// Encodes into one `JSONValue`.
struct JSONValueEncoder: Encoder {
  /// The values encoded so far. A class, because a container is returned before it is filled.
  final class Node {
    var content = Content.nothing

    enum Content {
      case nothing
      case value(JSONValue)
      case array([Node])
      case object([String: Node])
    }

    /// The encoded value. Recurses no deeper than the coders. A node without content becomes an empty object, as for a type
    /// without properties.
    var json: JSONValue {
      switch content {
      case .nothing: .object([:])
      case .value(let value): value
      case .array(let nodes): .array(nodes.map(\.json))
      case .object(let nodes): .object(nodes.mapValues(\.json).filter { !$0.value.isNull })
      }
    }
  }

  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func json(of value: some Encodable, at path: [any CodingKey]) throws -> JSONValue {
    if let json = value as? JSONValue { return json }
    if let scalar = value as? any JSONScalar {
      guard let json = scalar.json else {
        throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "JSON cannot represent this number."))
      }
      return json
    }
    guard path.count <= JSONValue.maximumCodingDepth else {
      throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "The value is nested too deeply."))
    }
    let node = Node()
    try value.encode(to: JSONValueEncoder(node: node, codingPath: path))
    return node.json
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([:]) }
    return KeyedEncodingContainer(Keyed(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = node.content {} else { node.content = .array([]) }
    return Unkeyed(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { node.content = .value(.null) }
  func encode<T: Encodable>(_ value: T) throws { node.content = .value(try Self.json(of: value, at: codingPath)) }
}

extension JSONValueEncoder {
  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) throws {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      let json = try JSONValueEncoder.json(of: value, at: codingPath + [key])
      child(key).node.content = .value(json)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
      child(key).container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { child(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { child(JSONCodingKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { child(key) }

    private func child(_ key: any CodingKey) -> JSONValueEncoder {
      guard case .object(var nodes) = node.content else {
        return JSONValueEncoder(node: Node(), codingPath: codingPath + [key])
      }
      node.content = .nothing
      let child = nodes[key.stringValue] ?? Node()
      nodes[key.stringValue] = child
      node.content = .object(nodes)
      return JSONValueEncoder(node: child, codingPath: codingPath + [key])
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]

    var count: Int { if case .array(let nodes) = node.content { nodes.count } else { 0 } }

    func encodeNil() throws { next().node.content = .value(.null) }

    func encode<T: Encodable>(_ value: T) throws {
      let json = try JSONValueEncoder.json(of: value, at: codingPath + [JSONCodingKey(intValue: count)])
      next().node.content = .value(json)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next().container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    func superEncoder() -> any Encoder { next() }

    private func next() -> JSONValueEncoder {
      let path = codingPath + [JSONCodingKey(intValue: count)]
      let child = Node()
      if case .array(var nodes) = node.content {
        node.content = .nothing
        nodes.append(child)
        node.content = .array(nodes)
      }
      return JSONValueEncoder(node: child, codingPath: path)
    }
  }
}

/// A type that the coders convert to and from JSON directly.
///
/// The protocols of `Codable` name each of these types individually; this protocol allows a single generic function to
/// handle all of them.
///
/// ```swift
/// extension UInt64: JSONScalar {}
/// ```
protocol JSONScalar {
  /// Converts a JSON value; nil if it has another type or is out of range.
  init?(node: some JSONNode)
  /// The value as a ``JSONValue``; nil if it cannot be represented.
  var json: JSONValue? { get }
  /// The value in a JSON text; nil if it cannot be represented.
  var item: JSONTextEncoder.Item? { get }
}

extension Bool: JSONScalar {
  init?(node: some JSONNode) {
    guard let value = node.boolean else { return nil }
    self = value
  }
  var json: JSONValue? { .boolean(self) }
  var item: JSONTextEncoder.Item? { .text(self ? "true" : "false") }
}

extension String: JSONScalar {
  init?(node: some JSONNode) {
    guard let value = node.string else { return nil }
    self = value
  }
  var json: JSONValue? { .string(self) }
  var item: JSONTextEncoder.Item? { .string(self) }
}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init?(node: some JSONNode) {
    guard let value = node.number(as: Self.self) else { return nil }
    self = value
  }
  var json: JSONValue? { isFinite ? JSONValue(Double(self)) : nil }
  var item: JSONTextEncoder.Item? { isFinite ? .text(JSONTextWriter.text(of: self)) : nil }
}

extension JSONScalar where Self: FixedWidthInteger {
  init?(node: some JSONNode) {
    guard let value = node.integer(as: Self.self) else { return nil }
    self = value
  }
  var json: JSONValue? { Int64(exactly: self).map(JSONValue.integer) }
  var item: JSONTextEncoder.Item? { .text(description) }
}

extension Double: JSONScalar {}
extension Float: JSONScalar {}
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
