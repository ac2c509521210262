/// Decodes like another decoder, and records as which types the members of the outermost object are decoded.
struct RecordingDecoder: Decoder {
  /// A class, because the containers outlive the calls that create them.
  final class Record {
    /// The type as which each member was last decoded.
    fileprivate(set) var types: [String: ObjectIdentifier] = [:]
  }

  let record = Record()
  private let decoder: JSONNodeDecoder<JSONValue>

  init(_ decoder: JSONNodeDecoder<JSONValue>) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(container: try decoder.container(keyedBy: type), record: record))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { try decoder.singleValueContainer() }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let container: KeyedDecodingContainer<Key>
    let record: Record

    var codingPath: [any CodingKey] { container.codingPath }
    var allKeys: [Key] { container.allKeys }
    func contains(_ key: Key) -> Bool { container.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { try container.decodeNil(forKey: key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      record.types[key.stringValue] = ObjectIdentifier(type)
      return try container.decode(type, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
      try container.nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try container.nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder { try container.superDecoder() }
    func superDecoder(forKey key: Key) throws -> any Decoder { try container.superDecoder(forKey: key) }
  }
}
