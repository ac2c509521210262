import CoordinatorKit
import RendererKit

/// All fields of a form with their values and errors.
struct FormMarkup: Sendable {
  let fields: [FieldMarkup]
  /// The reasons for keys that are not fields of the form.
  let strayReasons: [String]

  /// Creates the fields of a form.
  ///
  /// - Parameters:
  ///   - fields: fields of the form, in order.
  ///   - values: values to fill in, unless something was typed.
  ///   - draft: what was typed, and what was wrong with it.
  ///   - messages: messages of the screen; those about a field appear next to it.
  ///   - isReadOnly: whether the form cannot currently be filled in.
  init(
    _ fields: [Field], values: [String: JSONValue], draft: Draft?, messages: [ScreenMessage] = [], isReadOnly: Bool = false
  ) {
    let reasons = FormReasons(draft?.reasons ?? [:], of: fields)
    self.fields = fields.enumerated().map { index, field in
      let own = messages.filter { $0.field == field.name }
      let given = values[field.name] ?? field.schema.defaultValue
      let texts = draft?.typed[field.name] ?? given.map { FieldControl.texts(of: $0, in: field.schema) }
      return FieldMarkup(
        field: field, index: index, texts: field.schema.isSecret ? [] : texts ?? [],
        error: reasons.fields[field.name]?.sentence ?? own.first { $0.level == .error }?.text,
        remarks: own.filter { $0.level != .error }.map(\.text), isReadOnly: isReadOnly,
        condition: FieldText.condition(of: field, among: fields),
        isSecretSent: isReadOnly && draft?.filledSecrets.contains(field.name) == true)
    }
    strayReasons = reasons.others.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
  }

  /// The markup of the fields.
  var html: HTML {
    tag("div", .id("fields"), .class("fields")) {
      for field in fields { field.html }
    }
  }

  /// The errors, each with the id of its field.
  var problems: [ErrorSummary.Problem] {
    fields.compactMap { field in field.error.map { ErrorSummary.Problem(text: $0, field: field.id) } }
      + strayReasons.map { ErrorSummary.Problem(text: $0) }
  }
}
