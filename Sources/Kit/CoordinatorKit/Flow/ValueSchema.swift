/// The JSON Schema of a `Codable` type, as far as it can be found out.
///
/// Works by decoding: the decoder hands out a sample of each value that the type asks for, and records what was asked.
/// Where a type accepts no sample, such as an enum with associated values, the schema says only what is known, and
/// allows everything else.
enum ValueSchema {
  /// Returns the schema of a type.
  ///
  /// - Parameter type: the type.
  /// - Returns: a JSON Schema; an empty object allows everything.
  static func of<Value: Decodable>(_ type: Value.Type) -> JSONValue { .object(sample(of: type, depth: 0).schema) }

  /// How deep types may be nested, so that a recursive one comes to an end.
  fileprivate static let maxDepth = 6

  fileprivate static func sample<Value: Decodable>(
    of type: Value.Type, depth: Int
  ) -> (schema: [String: JSONValue], value: Value?) {
    if let leaf = leaf(of: type) { return leaf }
    guard depth < maxDepth else { return ([:], nil) }
    if let cases = (type as? any CaseIterable.Type)?.listed as? [Value], let first = cases.first, let schema = choices(cases) {
      return (schema, first)
    }
    let recorder = SchemaRecorder(depth: depth)
    let value = try? Value(from: recorder)
    return (recorder.schema(isComplete: value != nil), value)
  }

  private static func leaf<Value>(of type: Value.Type) -> (schema: [String: JSONValue], value: Value?)? {
    func leaf(_ name: String, _ sample: any Sendable) -> (schema: [String: JSONValue], value: Value?) {
      (["type": .string(name)], sample as? Value)
    }
    return switch type {
    case is String.Type: leaf("string", "")
    case is Bool.Type: leaf("boolean", false)
    case is Double.Type: leaf("number", 0.0)
    case is Float.Type: leaf("number", Float(0))
    case is Int.Type: leaf("integer", 0)
    case is any FixedWidthInteger.Type: (["type": "integer"], (type as? any FixedWidthInteger.Type)?.nothing as? Value)
    case is JSONValue.Type: ([:], JSONValue.null as? Value)
    default: nil
    }
  }

  /// Returns the schema of an enum whose cases have raw values; nil if they have none.
  private static func choices<Value>(_ cases: [Value]) -> [String: JSONValue]? {
    let raw = cases.map { ($0 as? any RawRepresentable)?.rawValue }
    let strings = raw.compactMap { $0 as? String }
    if strings.count == cases.count { return ["type": "string", "enum": .array(strings.map { .string($0) })] }
    let numbers = raw.compactMap { $0 as? Int }
    guard numbers.count == cases.count else { return nil }
    return ["type": "integer", "enum": .array(numbers.map { .integer(Int64($0)) })]
  }
}

extension CaseIterable {
  fileprivate static var listed: [Self] { Array(allCases) }
}

extension FixedWidthInteger {
  fileprivate static var nothing: Self { 0 }
}

/// A decoder that hands out samples, and records what a type asks for.
private final class SchemaRecorder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let depth: Int
  private var recorded: [String: JSONValue] = [:]
  private var properties: [String: JSONValue] = [:]
  private var required: [JSONValue] = []
  private var optional: Set<String> = []

  init(depth: Int) { self.depth = depth }

  /// Puts together what was recorded.
  ///
  /// - Parameter isComplete: whether the type accepted all samples, so that everything that it asks for is known.
  /// - Returns: the schema.
  func schema(isComplete: Bool) -> [String: JSONValue] {
    var schema = recorded
    // A type without properties asks for nothing, and is encoded as an empty object.
    if isComplete, schema.isEmpty { schema["type"] = "object" }
    if !properties.isEmpty { schema["properties"] = .object(properties) }
    if isComplete, !required.isEmpty { schema["required"] = .array(required) }
    return schema
  }

  func record(_ name: String, _ schema: [String: JSONValue], isRequired: Bool) {
    properties[name] = .object(schema)
    if isRequired, !optional.contains(name) { required.append(.string(name)) }
  }

  /// Records that a property may be missing.
  func mayBeMissing(_ name: String) { optional.insert(name) }

  func record(_ schema: [String: JSONValue]) { recorded.merge(schema) { $1 } }

  /// Returns a sample of a type.
  func sample<Value: Decodable>(_ type: Value.Type) throws -> (schema: [String: JSONValue], value: Value) {
    let sample = ValueSchema.sample(of: type, depth: depth + 1)
    guard let value = sample.value else { throw NoSample(schema: sample.schema) }
    return (sample.schema, value)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    record(["type": "object"])
    return KeyedDecodingContainer(KeyedRecorder<Key>(recorder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    record(["type": "array"])
    return ArrayRecorder(recorder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleRecorder(recorder: self) }
}

/// A type for which there is no sample.
private struct NoSample: Error {
  /// What is known of it.
  let schema: [String: JSONValue]
}

private struct KeyedRecorder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let recorder: SchemaRecorder
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  /// Asked before a value is decoded only by what takes a missing one.
  func contains(_ key: Key) -> Bool {
    recorder.mayBeMissing(key.stringValue)
    return true
  }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decode(type, forKey: key, isRequired: true)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
    try? decode(type, forKey: key, isRequired: false)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key, isRequired: Bool) throws -> Value {
    do {
      let sample = try recorder.sample(type)
      recorder.record(key.stringValue, sample.schema, isRequired: isRequired)
      return sample.value
    } catch let error as NoSample {
      recorder.record(key.stringValue, error.schema, isRequired: isRequired)
      throw error
    }
  }

  func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type, forKey key: Key) throws -> KeyedDecodingContainer<Other> {
    throw NoSample(schema: [:])
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NoSample(schema: [:]) }

  func superDecoder() throws -> any Decoder { throw NoSample(schema: [:]) }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw NoSample(schema: [:]) }
}

/// Hands out one element, whose schema is that of all.
private struct ArrayRecorder: UnkeyedDecodingContainer {
  let recorder: SchemaRecorder
  let codingPath: [any CodingKey] = []
  var count: Int? { nil }
  private(set) var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  init(recorder: SchemaRecorder) { self.recorder = recorder }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    do {
      let sample = try recorder.sample(type)
      recorder.record(["items": .object(sample.schema)])
      return sample.value
    } catch let error as NoSample {
      recorder.record(["items": .object(error.schema)])
      throw error
    }
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NoSample(schema: [:])
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoSample(schema: [:]) }

  mutating func superDecoder() throws -> any Decoder { throw NoSample(schema: [:]) }
}

private struct SingleRecorder: SingleValueDecodingContainer {
  let recorder: SchemaRecorder
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      let sample = try recorder.sample(type)
      recorder.record(sample.schema)
      return sample.value
    } catch let error as NoSample {
      recorder.record(error.schema)
      throw error
    }
  }
}
