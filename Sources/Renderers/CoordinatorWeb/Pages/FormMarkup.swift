import CoordinatorKit

/// All fields of a form, filled in, with what is wrong with each.
struct FormMarkup: Sendable {
  let fields: [FieldMarkup]
  /// What is wrong with keys that the form does not have.
  let strayReasons: [String]

  /// The fields of a form.
  ///
  /// - Parameters:
  ///   - fields: The fields, in order.
  ///   - values: What is filled in, unless something was typed.
  ///   - draft: What was typed, and what was wrong with it.
  ///   - messages: What there is to say; those about a field stand beside it.
  ///   - isReadOnly: Whether nothing can be filled in now.
  init(
    _ fields: [Field], values: [String: JSONValue], draft: Draft?, messages: [ScreenMessage] = [], isReadOnly: Bool = false
  ) {
    self.fields = fields.enumerated().map { index, field in
      let own = messages.filter { $0.field == field.name }
      let reason = draft?.reasons[field.name].map { "\(field.schema.title ?? field.name) \($0)" }
      let given = values[field.name] ?? field.schema.defaultValue
      return FieldMarkup(
        field: field, index: index,
        texts: field.schema.isSecret ? [] : draft?.typed[field.name] ?? given.map(FieldControl.texts) ?? [],
        error: reason ?? own.first { $0.level == .error }?.text,
        remarks: own.filter { $0.level != .error }.map(\.text), isReadOnly: isReadOnly,
        isSecretSent: isReadOnly && draft?.filledSecrets.contains(field.name) == true)
    }
    let names = Set(fields.map(\.name))
    strayReasons = (draft?.reasons ?? [:]).filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value)" }
  }

  /// The fields.
  var html: HTML {
    tag("div", .id("fields"), .class("fields")) {
      for field in fields { field.html }
    }
  }

  /// What is wrong, each with the field to go to.
  var problems: [ErrorSummary.Problem] {
    fields.compactMap { field in field.error.map { ErrorSummary.Problem(text: $0, field: field.id) } }
      + strayReasons.map { ErrorSummary.Problem(text: $0) }
  }
}
