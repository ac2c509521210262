/// Decodes one value from JSON text.
struct JSONTextDecoder: Decoder {
  let tree: JSONTree
  let path: JSONCodingPath
  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = tree else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(Keyed(members: members, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = tree else { throw mismatch([JSONValue].self) }
    return Unkeyed(elements: elements, path: path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decoded<T: Decodable>(as type: T.Type) throws -> T {
    if T.self == JSONValue.self {
      guard let value = tree.value as? T else { throw mismatch(Double.self) }
      return value
    }
    guard path.level <= JSONCodingPath.mostLevels else {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "The value is nested too deeply."))
    }
    guard let kind = FoundationValue(T.self) else { return try T(from: self) }
    guard let plain = kind.plain(tree) else { throw mismatch(type) }
    return try T(from: JSONTextDecoder(tree: plain, path: path))
  }

  func scalar<T: JSONTextScalar>(_ type: T.Type) throws -> T {
    guard let value = T(tree: tree) else { throw mismatch(type) }
    return value
  }

  /// Mentions only the types, not the value, because it may be confidential.
  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let found =
      switch tree {
      case .null: "nothing"
      case .boolean: "a boolean"
      case .integer, .numeral: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(type), but found \(found).")
    return tree.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension JSONTree {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONTextDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { tree.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let scalar = type as? any JSONTextScalar.Type else {
      return try JSONTextDecoder(tree: tree, path: path.appending(JSONCodingKey.super)).decoded(as: type)
    }
    guard let value = scalar.init(tree: tree) as? T else { throw mismatch(type) }
    return value
  }
}

extension JSONTextDecoder {
  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONTree]
    let path: JSONCodingPath
    var codingPath: [any CodingKey] { path.keys }

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(for: key).scalar(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(for: key).scalar(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(for: key).scalar(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(for: key).decoded(as: type) }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
      try decoder(for: key).container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { existingOrNull(JSONCodingKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { existingOrNull(key) }

    private func decoder(for key: Key) throws -> JSONTextDecoder {
      guard let member = members[key.stringValue] else {
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing."))
      }
      return JSONTextDecoder(tree: member, path: path.appending(key))
    }

    private func existingOrNull(_ key: any CodingKey) -> JSONTextDecoder {
      JSONTextDecoder(tree: members[key.stringValue] ?? .null, path: path.appending(key))
    }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let elements: [JSONTree]
    let path: JSONCodingPath
    var codingPath: [any CodingKey] { path.keys }
    var currentIndex = 0

    init(elements: [JSONTree], path: JSONCodingPath) {
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

    private func current() throws -> JSONTextDecoder {
      let path = path.appending(currentIndex)
      guard !isAtEnd else {
        let context = DecodingError.Context(codingPath: path.keys, debugDescription: "There are no more elements.")
        throw DecodingError.valueNotFound(JSONValue.self, context)
      }
      return JSONTextDecoder(tree: elements[currentIndex], path: path)
    }
  }
}
