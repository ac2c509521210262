import Forms
import TestBus
import Testing

@Suite("Conditions compared with their definition", .timeLimit(.minutes(5)))
struct ConditionOracleTests {
  @Test("A field is shown exactly if each of its conditions is met by a shown field, in random forms", arguments: 0..<8)
  func shownFieldsAgreeWithTheDefinition(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let form = try Self.form(&random)
      #expect(try Form(schema: Schema(json: form.schema.json), order: form.order) == form, "seed \(seed)")
      var values: [String: JSONValue] = [:]
      for field in form.fields { values[field.name] = [true, false, .null, "tea", nil].randomElement(using: &random) ?? nil }
      let shown = form.schema.shownFields(in: values)
      for field in form.fields {
        #expect(shown.contains(field.name) == Self.isShown(field, of: form, values), "\(field.name), seed \(seed)")
      }
      // An accepted payload has no value of a hidden field.
      if let payload = try? form.schema.accept(values) {
        #expect(Set(payload.values.keys).isSubset(of: shown))
        #expect(form.fields.allSatisfy { !$0.isRequiredIfShown || !shown.contains($0.name) || payload[$0.name] != nil })
      }
    }
  }

  /// Returns a form of Booleans, each of which depends on fields with lower numbers only, in any order.
  private static func form(_ random: inout SeededGenerator) throws -> Form {
    var fields: [Field] = []
    for number in 0..<Int.random(in: 1...8, using: &random) {
      var field = Field("f\(number)", .boolean(title: "F"), isRequired: .random(using: &random))
      for other in 0..<number where Int.random(in: 0..<3, using: &random) == 0 {
        field = field.shown(if: "f\(other)", is: .boolean(.random(using: &random)))
      }
      fields.append(field)
    }
    let form = Form(fields.shuffled(using: &random))
    try form.validate()
    return form
  }

  private static func isShown(_ field: Field, of form: Form, _ values: [String: JSONValue]) -> Bool {
    field.conditions.allSatisfy { condition in
      guard let other = form.fields.first(where: { $0.name == condition.field }), isShown(other, of: form, values) else {
        return false
      }
      return values[other.name].map(condition.values.contains) ?? false
    }
  }
}
