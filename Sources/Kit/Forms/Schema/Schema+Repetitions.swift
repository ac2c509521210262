/// Fields that repeat another field, so that a typing error in a value that is not shown is noticed.
extension Schema {
  /// The fields that repeat another one, each with that one. A field whose repeated field the schema does not have is left out, so
  /// that renderers can check one field alone.
  var repetitions: [(field: Field, repeated: Field)] {
    guard fields.contains(where: { $0.repeated != nil }) else { return [] }
    let known = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return fields.compactMap { field in field.repeated.flatMap { known[$0] }.map { (field, $0) } }
  }

  /// Returns whether two texts have the same bytes, or both are absent. The time does not depend on the position of the first
  /// difference, because the texts may be secrets.
  static func areSame(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
    guard let one = one?.string, let other = other?.string else { return one?.string == nil && other?.string == nil }
    return Secret(one).matches(Secret(other))
  }

  /// The reason for a value that is not the one of the repeated field.
  static func difference(from repeated: Field) -> String {
    // TRANSLATORS: Follows the title of a field that repeats another one, as in "Once more is not the same as Password".
    Text("is not the same as {field}", ["field": repeated.schema.title ?? repeated.name]).string
  }

  /// Validates the names of repeated fields.
  func validateRepetitions(at pointer: String) throws(SchemaError) {
    guard fields.contains(where: { $0.repeated != nil }) else { return }
    let known = Dictionary(fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    for field in fields {
      guard let name = field.repeated else { continue }
      let pointer = pointer.pointing(to: field.name).pointing(to: Keyword.sameAs)
      guard let schema = known[name] else { throw SchemaError(at: pointer, .unknownProperty(name)) }
      guard name != field.name, case .text = schema.rule, case .text = field.schema.rule, schema.isSecret == field.schema.isSecret
      else { throw SchemaError(at: pointer, .impossibleRepetition) }
    }
  }
}
