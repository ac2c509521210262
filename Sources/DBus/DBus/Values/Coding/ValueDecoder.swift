/// The decoder that is passed to a type: one value and its coding path.
struct ValueDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.stringKeyed else { throw mismatch([String: Value].self, "a dictionary with strings as keys") }
    return KeyedDecodingContainer(KeyedDecoding<Key>(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.elements ?? value.members else { throw mismatch([Value].self, "an array or a structure") }
    return UnkeyedDecoding(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoding(decoder: self) }

  /// Decodes the value as a `T`.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let basic = type as? any BasicValue.Type else {
      guard codingPath.count <= WireLimits.depth else {
        throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "Nested too deep for a D-Bus message."))
      }
      return try T(from: self)
    }
    if let result = basic.init(basic: value) as? T { return result }
    if basic is any FixedWidthInteger.Type, value.integer != nil || value.uint64 != nil {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "The number does not fit into \(type)."))
    }
    throw mismatch(type, "a value for \(type)")
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let found = value.unwrapped.type
    return .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "Expected \(expected), found type \(found)."))
  }
}

private struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: Value]
  let codingPath: [any CodingKey]
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  /// A present value is never nil, because nil is represented by an absent key.
  func decodeNil(forKey key: Key) throws -> Bool {
    _ = try decoder(for: key)
    return false
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(for: key).decode(type) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(for: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(for: key).unkeyedContainer() }

  func superDecoder() throws -> any Decoder { try decoder(for: PathKey.superclass) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

  private func decoder(for key: any CodingKey) throws -> ValueDecoder {
    guard let value = members[key.stringValue] else {
      let context = DecodingError.Context(codingPath: codingPath, debugDescription: "There is no key \"\(key.stringValue)\".")
      throw DecodingError.keyNotFound(key, context)
    }
    return ValueDecoder(value: value, codingPath: codingPath + [key])
  }
}

private struct UnkeyedDecoding: UnkeyedDecodingContainer {
  let elements: [Value]
  let codingPath: [any CodingKey]
  var currentIndex = 0
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(elements: [Value], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  mutating func decodeNil() throws -> Bool {
    _ = try decoder()
    return false
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try advance(decoder().decode(type)) }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws -> KeyedDecodingContainer<NestedKey> {
    try advance(decoder().container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try advance(decoder().unkeyedContainer()) }

  mutating func superDecoder() throws -> any Decoder { try advance(decoder()) }

  /// Advances to the next element after one has been decoded.
  private mutating func advance<T>(_ result: T) -> T {
    currentIndex += 1
    return result
  }

  private func decoder() throws -> ValueDecoder {
    let path = codingPath + [PathKey(intValue: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(Value.self, .init(codingPath: path, debugDescription: "The array has no more elements."))
    }
    return ValueDecoder(value: elements[currentIndex], codingPath: path)
  }
}

private struct SingleValueDecoding: SingleValueDecodingContainer {
  let decoder: ValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}
