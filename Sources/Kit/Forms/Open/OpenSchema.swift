/// A schema that is checked according to JSON Schema 2020-12: it accepts any type of value unless `type` limits it, unknown
/// properties unless `additionalProperties` refuses them, and null as a separate value.
///
/// Forms are stricter: ``Schema`` requires a type and a title, and closes objects. This type is the same validator without
/// these rules, with the same checks of strings, numbers and lists, so that tests can compare it with other implementations of
/// the same keywords. Use it for schemas from a trusted source only: their definitions are expanded.
package struct OpenSchema: Sendable {
  /// Whether the schema accepts any value; false for the schema `false`.
  var isSatisfiable = true
  /// The allowed types; nil if all types are allowed.
  var types: Set<String>?
  /// The allowed values, for each of `enum` and `const`.
  var values: [[JSONValue]] = []

  var text = Schema.TextRule()
  var number = Bounds<Double>()
  var count = Bounds<Int>()
  var isUnique = false
  var properties: [String: OpenSchema] = [:]
  var required: Set<String> = []

  /// The schema of the entries of a list; at most one.
  var items: [OpenSchema] = []
  /// The schema of properties without their own schema; at most one.
  var additional: [OpenSchema] = []
  /// Schemas all of which must accept the value: `allOf` and `$ref`.
  var all: [OpenSchema] = []
  /// Schemas at least one of which must accept the value; nil if there is no `anyOf`.
  var any: [OpenSchema]?
  /// Schemas exactly one of which must accept the value; nil if there is no `oneOf`.
  var one: [OpenSchema]?
}

extension OpenSchema {
  /// Returns whether a value conforms to the schema.
  package func accepts(_ value: JSONValue) -> Bool {
    guard isSatisfiable, types.map({ !$0.isDisjoint(with: value.typeNames) }) ?? true else { return false }
    let identity = values.isEmpty ? [] : value.identity
    guard values.allSatisfy({ $0.contains { $0.identity == identity } }), acceptsContent(of: value) else { return false }
    return all.allSatisfy { $0.accepts(value) } && any?.contains { $0.accepts(value) } ?? true
      && one.map { $0.count { $0.accepts(value) } == 1 } ?? true
  }

  private func acceptsContent(of value: JSONValue) -> Bool {
    switch value {
    case .null, .boolean: true
    case .integer, .number: Schema.problem(with: value, number) == nil
    case .string: text.problem(with: value) == nil
    case .array(let entries):
      count.ofCount.contains(entries.count) && entries.allSatisfy { entry in items.allSatisfy { $0.accepts(entry) } }
        && !(isUnique && entries.haveEqualEntries)
    case .object(let members):
      required.allSatisfy { members[$0] != nil }
        && members.allSatisfy { name, member in
          properties[name].map { $0.accepts(member) } ?? additional.allSatisfy { $0.accepts(member) }
        }
    }
  }
}

extension JSONValue {
  /// The names of the value's types in JSON Schema. A number without a fraction is also an integer, however large.
  fileprivate var typeNames: Set<String> {
    switch self {
    case .integer: ["integer", "number"]
    case .number(let number): number.isFinite && number == number.rounded() ? ["integer", "number"] : ["number"]
    default: [typeName]
    }
  }
}
