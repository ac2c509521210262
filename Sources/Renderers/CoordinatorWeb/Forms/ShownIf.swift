import CoordinatorKit

/// The conditions of a field for the script of a page: for each other control, the strings that it may send.
struct ShownIf: Sendable, Hashable {
  private let json: JSONValue

  /// Converts the conditions of a field; nil if it has none.
  ///
  /// - Parameters:
  ///   - field: field with conditions.
  ///   - name: closure that returns the name of another field's control.
  init?(_ field: Field, name: (String) -> String = { FormAnswer.prefix + $0 }) {
    guard !field.conditions.isEmpty else { return nil }
    json = .array(
      field.conditions.map { condition in
        let texts = condition.values.map { JSONValue.string($0.string ?? $0.canonicalText) }
        return ["name": .string(name(condition.field)), "values": .array(texts)]
      })
  }

  /// The conditions as JSON: an array of objects with the name of a control, and the values of which it must have one.
  var text: String { json.canonicalText }
}
