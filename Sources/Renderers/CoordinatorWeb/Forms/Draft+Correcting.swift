import CoordinatorKit
import Platform

extension Draft {
  /// Adopts the text typed since the answer was refused, and drops the reasons that no longer apply: those of fields whose text
  /// has changed, and is valid as far as the schema can determine.
  ///
  /// - Parameters:
  ///   - answer: current text, without secrets.
  ///   - filled: names of the secret controls that contain text. Their values stay in the browser.
  ///   - fields: fields of the form.
  mutating func correct(with answer: FormAnswer, filled: [String], fields: [Field]) {
    let secrets = Set(filled.compactMap(FormAnswer.field(ofControl:)))
    for field in fields {
      let keys = reasons.keys.filter { $0 == field.name || $0.bytes.hasPrefix(field.name + "[") }
      guard !keys.isEmpty else { continue }
      let isCorrected =
        field.schema.isSecret ? secrets.contains(field.name) : hasChanged(field, answer) && Self.isValid(answer, field)
      if isCorrected { for key in keys { reasons[key] = nil } }
    }
    typed = answer.typed
  }

  private func hasChanged(_ field: Field, _ answer: FormAnswer) -> Bool {
    // Empty rows are not part of a refused answer.
    answer.typed[field.name] != typed[field.name] && answer.typedEntries[field.name] != typed[field.name]
  }

  private static func isValid(_ answer: FormAnswer, _ field: Field) -> Bool {
    let values = answer.payload[field.name].map { [field.name: $0] } ?? [:]
    return Schema.object([field]).check(values).isEmpty && !(values.isEmpty && field.isRequiredIfShown)
  }
}
