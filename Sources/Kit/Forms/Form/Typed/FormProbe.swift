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
