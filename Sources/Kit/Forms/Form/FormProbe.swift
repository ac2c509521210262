/// Checks that payloads that conform to a form decode as its type.
///
/// Decodes samples of payloads: one with as few values as possible, which shows whether the type needs a value that a payload
/// may lack, and others with all values, which show whether each value is decoded into the property of its field. This also
/// detects names that the standard library confuses: of two properties at the same offset, one of which has no size, it prints
/// the first.
///
/// Every sample is a payload that a client could send, so the checks pass nothing to an author's `init(from:)` that it would
/// not receive later. A type that refuses a sample for its own reason is not judged, nor is a form whose patterns leave no
/// sample.
struct FormProbe<Values: FormValues> {
  /// The fields, with the mistakes found. For a property without a field, it contains one that is never valid.
  private(set) var fields: [Field]
  private let typed: [TypedField<Values>]

  init(_ typed: [TypedField<Values>]) {
    self.typed = typed
    fields = typed.map(\.field)
    let names = Set(fields.map(\.name))
    for secret in Values.Secrets.allCases where !names.contains(secret.rawValue) {
      report(.undeclaredSecret, on: secret.rawValue)
    }
    // Other mistakes would cause further errors in the samples.
    guard fields.allSatisfy({ $0.problem == nil }), (try? Form(fields).validate()) != nil else { return }
    let samples = FormSamples(fields)
    if let least = samples.least { _ = decode(least, reporting: .unfilledProperty) }
    for sample in samples.full { checkRoundTrip(of: sample) }
  }

  /// Checks that the type encodes each value of a sample under the name of its field, and that the property has the value.
  private mutating func checkRoundTrip(of sample: [String: JSONValue]) {
    guard let values = decode(sample, reporting: .uncodedProperty),
      let members = (try? JSONValue(encoding: values))?.object
    else { return }
    for field in typed where sample[field.field.name] != nil {
      guard let read = field.read else { continue }
      // Compares with the encoded value, not with the sample, because an `init(from:)` may normalize the values that it
      // decodes.
      guard let member = members[field.field.name], member == read(values) else {
        report(.uncodedProperty, on: field.field.name)
        continue
      }
    }
  }

  /// Decodes a sample.
  ///
  /// - Parameters:
  ///   - sample: the values, by field.
  ///   - absence: the problem of a property that the sample lacks.
  /// - Returns: the decoded value; nil if the type refuses the sample.
  private mutating func decode(_ sample: [String: JSONValue], reporting absence: SchemaError.Reason) -> Values? {
    let decoder = RecordingDecoder(JSONNodeDecoder<JSONValue>(node: .object(sample), path: .root))
    do {
      return try Values(from: decoder)
    } catch DecodingError.keyNotFound(let key, let context) where context.codingPath.isEmpty {
      report(absence, on: key.stringValue)
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      report(.mistypedProperty, on: context.codingPath)
    } catch DecodingError.dataCorrupted(let context) {
      // Only a property of another type proves a mistake: the type may refuse the content of the sample for other reasons.
      guard let name = context.codingPath.first?.stringValue, let type = decoder.record.types[name],
        let field = typed.first(where: { $0.field.name == name }), !field.types.contains(type)
      else { return nil }
      report(.mistypedProperty, on: name)
    } catch {}
    return nil
  }

  /// Reports a problem with the value at a path, unless the type decodes a property without a field there.
  private mutating func report(_ problem: SchemaError.Reason, on path: [any CodingKey]) {
    guard let name = path.first?.stringValue, fields.contains(where: { $0.name == name }) else { return }
    report(problem, on: name)
  }

  private mutating func report(_ problem: SchemaError.Reason, on name: String) {
    if !fields.contains(where: { $0.name == name }) { fields.append(Field(name, .string(title: Text(verbatim: name)))) }
    for index in fields.indices where fields[index].name == name {
      fields[index].problem = fields[index].problem ?? problem
    }
  }
}

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

/// Creates samples of payloads that a form accepts, without secrets.
struct FormSamples {
  private let fields: [Field]
  private let schema: Schema

  /// Creates samples of a valid form.
  init(_ fields: [Field]) {
    self.fields = fields.filter { !$0.schema.isSecret }
    schema = .object(self.fields)
  }

  /// The sample with as few values as possible, in which fields with conditions are hidden where possible; nil if no
  /// sample is found.
  var least: [String: JSONValue]? {
    var avoided: [String: [JSONValue]] = [:]
    for condition in fields.flatMap(\.conditions) { avoided[condition.field, default: []] += condition.values }
    return sample { field in
      let values = field.schema.samples
      return values.first { value in !(avoided[field.name] ?? []).contains { $0.isSameScalar(as: value) } } ?? values.first
    }
    .flatMap { sample in
      let shown = schema.shownFields(in: sample)
      return valid(
        sample.filter { name, _ in
          fields.contains { $0.name == name && $0.isRequiredIfShown && shown.contains(name) }
        })
    }
  }

  /// Samples with all values that are shown together, such that each field that can be shown is in one of them.
  var full: [[String: JSONValue]] {
    let conditional = fields.filter { !$0.conditions.isEmpty }.map(\.name)
    return ([nil] + conditional.map { $0 }).compactMap { target in
      let chosen = target.map(choices) ?? [:]
      return sample { chosen[$0.name] ?? $0.schema.samples.first }.flatMap { sample in
        valid(sample.filter { schema.shownFields(in: sample).contains($0.key) })
      }
    }
  }

  /// Returns the values of other fields with which a field is shown.
  private func choices(showing name: String) -> [String: JSONValue] {
    var chosen: [String: JSONValue] = [:]
    var open = [name]
    while let name = open.popLast() {
      for condition in fields.first(where: { $0.name == name })?.conditions ?? [] where chosen[condition.field] == nil {
        chosen[condition.field] = condition.values.first
        open.append(condition.field)
      }
    }
    return chosen
  }

  private func sample(_ value: (Field) -> JSONValue?) -> [String: JSONValue]? {
    var sample: [String: JSONValue] = [:]
    for field in fields { sample[field.name] = value(field) }
    for (field, repeated) in schema.repetitions { sample[field.name] = sample[repeated.name] }
    return sample
  }

  private func valid(_ sample: [String: JSONValue]) -> [String: JSONValue]? { schema.check(sample).isEmpty ? sample : nil }
}

extension Schema {
  /// A few values that the schema accepts; empty if no guess matches the pattern.
  fileprivate var samples: [JSONValue] { guesses.filter { check(alone: $0) } }

  private var guesses: [JSONValue] {
    switch rule {
    case .text(let rule):
      let least = rule.length.lower?.value ?? 0
      let examples = [defaultValue, rule.format?.example.map(JSONValue.string)].compactMap(\.self) + examples
      return examples + ["a", "1", "A"].map { .string(String(repeating: $0, count: max(least, 1))) } + [""]
    case .integer(let bounds):
      return ([bounds.lower?.value, bounds.upper?.value].compactMap(\.self) + [0, 1]).map { .integer($0) }
    case .number(let bounds): return bounds.guesses.map { JSONValue($0) }
    case .boolean: return [false, true]
    case .choice(let choices): return choices.map(\.value)
    case .list(let list):
      let entries = list.items.samples
      let count = max(list.count.lower?.value ?? 0, 1)
      let repeated = entries.first.map { Array(repeating: $0, count: min(count, 1_000)) } ?? []
      return [.array(repeated), .array(Array(entries.prefix(count))), []]
    case .object(let fields):
      let samples = FormSamples(fields)
      return (samples.full + [samples.least].compactMap(\.self)).map { .object($0) }
    }
  }

  private func check(alone value: JSONValue) -> Bool {
    guard case .object = rule, let members = value.object else {
      return Schema.object(Field("x", self)).check(["x": value]).isEmpty
    }
    return check(members).isEmpty
  }
}

extension Bounds<Double> {
  /// The limits, a number between them, and numbers next to a single limit.
  fileprivate var guesses: [Double] {
    let limits = [lower, upper].compactMap { $0?.value }
    let middle = limits.count == 2 ? [limits[0] / 2 + limits[1] / 2] : limits.flatMap { [$0 + 1, $0 - 1] }
    return [0] + limits + middle
  }
}
