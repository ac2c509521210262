/// Checks that what conforms to a form decodes as its type.
///
/// Decodes two samples: one with the values that every payload has, and one with all. The first shows whether the type
/// needs a value that a payload may lack; the second, whether each value arrives in the property of its field. That also
/// finds names that the standard library mistakes: of two properties at the same offset, because one has no size, it
/// prints the first. A type with an `init(from:)` of its own that refuses the samples for another reason is not judged.
struct FormProbe<Values: FormValues> {
  /// The fields, with what is wrong with them. A property without a field has one that is never valid.
  private(set) var fields: [Field]
  private let typed: [TypedField<Values>]

  init(_ typed: [TypedField<Values>]) {
    self.typed = typed
    fields = typed.map(\.field)
    let names = Set(fields.map(\.name))
    for secret in Values.Secrets.allCases where !names.contains(secret.rawValue) {
      report(.undeclaredSecret, on: secret.rawValue)
    }
    // A field without a name would be reported a second time, as a property without a field.
    guard fields.allSatisfy({ $0.problem == nil }) else { return }
    _ = decode(fields.filter(\.isRequired), reporting: .unfilledProperty)
    guard let values = decode(fields, reporting: .uncodedProperty) else { return }
    guard let members = (try? JSONValue(encoding: values))?.object else { return }
    for field in typed {
      guard let read = field.read else { continue }
      // Compared with what is encoded, not with the sample, because an `init(from:)` may normalize what it decodes.
      guard let member = members[field.field.name], member == read(values) else {
        report(.uncodedProperty, on: field.field.name)
        continue
      }
    }
  }

  /// Decodes a sample with the values of some fields.
  ///
  /// - Returns: the decoded value; nil if the type refuses the sample.
  private mutating func decode(_ fields: [Field], reporting absence: SchemaError.Reason) -> Values? {
    let sample = Schema.object(fields).sample
    let decoder = RecordingDecoder(JSONValueDecoder(value: sample, codingPath: []))
    do {
      return try Values(from: decoder)
    } catch DecodingError.keyNotFound(let key, let context) where context.codingPath.isEmpty {
      report(absence, on: key.stringValue)
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      report(.mistypedProperty, on: context.codingPath)
    } catch DecodingError.dataCorrupted(let context) {
      // Only a property of another type proves a mistake. The type may refuse the content of the sample as well.
      guard let name = context.codingPath.first?.stringValue, let type = decoder.record.types[name],
        let field = typed.first(where: { $0.field.name == name }), !field.types.contains(type)
      else { return nil }
      report(.mistypedProperty, on: name)
    } catch {}
    return nil
  }

  /// Reports a problem with the value at a place, unless the type decodes a property that is no field there.
  private mutating func report(_ problem: SchemaError.Reason, on path: [any CodingKey]) {
    guard let name = path.first?.stringValue, fields.contains(where: { $0.name == name }) else { return }
    report(problem, on: name)
  }

  private mutating func report(_ problem: SchemaError.Reason, on name: String) {
    if !fields.contains(where: { $0.name == name }) { fields.append(Field(name, .string(title: name))) }
    for index in fields.indices where fields[index].name == name {
      fields[index].problem = fields[index].problem ?? problem
    }
  }
}

extension Schema {
  /// A value of the type that the schema requires. It need not keep to the other rules, which no type knows.
  fileprivate var sample: JSONValue {
    switch rule {
    case .text(let rule): examples.first { $0.string != nil } ?? .string(rule.format?.example ?? "")
    case .integer(let bounds): .integer(bounds.lower?.value ?? bounds.upper?.value ?? 0)
    case .number(let bounds): JSONValue(bounds.lower?.value ?? bounds.upper?.value ?? 0)
    case .boolean: false
    case .choice(let choices): choices.first?.value ?? .null
    case .list(let list): .array([list.items.sample])
    case .object(let fields):
      .object(
        Dictionary(
          fields.lazy.filter { !$0.schema.isSecret }.map { ($0.name, $0.schema.sample) }, uniquingKeysWith: { first, _ in first })
      )
    }
  }
}
