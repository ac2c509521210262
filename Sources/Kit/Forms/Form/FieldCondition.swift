/// A condition under which a field is shown: another field of the form is shown, and has one of some values.
///
/// ```swift
/// Field("passphrase", .secret(title: "Passphrase")).shown(if: "security", is: "wpa")
/// ```
public struct FieldCondition: Sendable, Hashable {
  /// The name of the other field: a string, a number, a Boolean or a choice, and not a secret.
  public var field: String
  /// The values of the other field for which the condition holds.
  public var values: [JSONValue]

  /// Creates a condition.
  ///
  /// - Parameters:
  ///   - field: the name of the other field.
  ///   - values: the values of the other field for which the condition holds.
  public init(_ field: String, is values: [JSONValue]) {
    self.field = field
    self.values = values
  }
}

extension FieldCondition {
  /// Decodes the value of the keyword `x-shown-if`: an object with the values of each other field.
  static func read(_ json: JSONValue, at pointer: String) throws(SchemaError) -> [FieldCondition] {
    guard let members = json.object, !members.isEmpty else {
      throw SchemaError(at: pointer, .malformed(expected: "an object with the values of other fields"))
    }
    var conditions: [FieldCondition] = []
    // Sorted, so that equal schemas have equal fields.
    for (name, json) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      guard let values = json.array else {
        throw SchemaError(at: pointer.pointing(to: name), .malformed(expected: "an array of values"))
      }
      conditions.append(FieldCondition(name, is: values))
    }
    return conditions
  }
}

extension [FieldCondition] {
  /// The value of the keyword `x-shown-if`.
  var json: JSONValue { .object(Dictionary(map { ($0.field, .array($0.values)) }, uniquingKeysWith: { first, _ in first })) }
}
