/// Decodes from one `JSONValue`.
struct JSONValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.object else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(Keyed(members: members.filter { !$0.value.isNull }, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw mismatch([JSONValue].self) }
    return Unkeyed(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decoded<T: Decodable>(as type: T.Type) throws -> T {
    if let scalar = type as? any JSONScalar.Type {
      guard let result = scalar.init(json: value) as? T else { throw mismatch(type) }
      return result
    }
    guard codingPath.count <= JSONValue.maximumCodingDepth else {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "The value is nested too deeply."))
    }
    return try T(from: self)
  }

  /// Mentions only the types, not the value, because it may be confidential.
  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let found =
      switch value {
      case .null: "nothing"
      case .boolean: "a boolean"
      case .integer: "an integer"
      case .number: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(type), but found \(found).")
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoded(as: type) }
}

extension JSONValueDecoder {
  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { members[key.stringValue] == nil }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      guard let decoder = decoder(for: key) else {
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing."))
      }
      return try decoder.decoded(as: type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder(forKey: key).container(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { existingOrNull(JSONCodingKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { existingOrNull(key) }

    private func decoder(for key: any CodingKey) -> JSONValueDecoder? {
      members[key.stringValue].map { JSONValueDecoder(value: $0, codingPath: codingPath + [key]) }
    }

    private func existingOrNull(_ key: any CodingKey) -> JSONValueDecoder {
      decoder(for: key) ?? JSONValueDecoder(value: .null, codingPath: codingPath + [key])
    }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
      self.elements = elements
      self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
      guard try current().value.isNull else { return false }
      currentIndex += 1
      return true
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

    private func current() throws -> JSONValueDecoder {
      let path = codingPath + [JSONCodingKey(intValue: currentIndex)]
      guard !isAtEnd else {
        let context = DecodingError.Context(codingPath: path, debugDescription: "There are no more elements.")
        throw DecodingError.valueNotFound(JSONValue.self, context)
      }
      return JSONValueDecoder(value: elements[currentIndex], codingPath: path)
    }
  }
}
