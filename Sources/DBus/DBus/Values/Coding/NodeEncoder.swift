/// The encoder that is passed to a value: its containers fill one node.
struct NodeEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(KeyedEncoding<Key>(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeList()
    return UnkeyedEncoding(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueEncoding(node: node, codingPath: codingPath)
  }
}

private struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  /// A nil is represented by an absent key.
  mutating func encodeNil(forKey key: Key) {}

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try node.member(key.stringValue).encode(value, at: codingPath + [key])
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(for: key).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(for: key).unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { encoder(for: PathKey.superclass) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

  private func encoder(for key: any CodingKey) -> NodeEncoder {
    NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  mutating func encodeNil() throws {
    let context = EncodingError.Context(
      codingPath: codingPath + [PathKey(intValue: count)], debugDescription: "D-Bus has no value for nil in an array.")
    throw EncodingError.invalidValue(Any?.none as Any, context)
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let path = codingPath + [PathKey(intValue: count)]
    try node.appendElement().encode(value, at: path)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    nextEncoder().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextEncoder().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { nextEncoder() }

  private func nextEncoder() -> NodeEncoder {
    let path = codingPath + [PathKey(intValue: count)]
    return NodeEncoder(node: node.appendElement(), codingPath: path)
  }
}

private struct SingleValueEncoding: SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  mutating func encodeNil() {}

  mutating func encode<T: Encodable>(_ value: T) throws { try node.encode(value, at: codingPath) }
}
