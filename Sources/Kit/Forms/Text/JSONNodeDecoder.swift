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
