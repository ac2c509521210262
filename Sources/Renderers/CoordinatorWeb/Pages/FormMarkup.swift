import CoordinatorKit
import RendererKit

/// All fields of a form with their values and errors.
struct FormMarkup: Sendable {
  let fields: [FieldMarkup]
  /// The errors that are shown in rows of lists, by the name of the list's field.
  private let entryProblems: [String: [ErrorSummary.Problem]]
  /// The reasons for keys that are not fields of the form.
  let strayReasons: [String]

  /// Creates the fields of a form.
  ///
  /// - Parameters:
  ///   - fields: fields of the form, in order.
  ///   - values: values to fill in, unless the draft contains text.
  ///   - draft: typed text, and its errors.
  ///   - messages: messages of the screen; those about a field appear next to it.
  ///   - isReadOnly: whether the form cannot currently be filled in.
  ///   - authors: other people who have typed the filled-in text, by field.
  init(
    _ fields: [Field], values: [String: JSONValue], draft: Draft?, messages: [ScreenMessage] = [], isReadOnly: Bool = false,
    authors: [String: TreePeople.Author] = [:]
  ) {
    let hasSecrets = fields.contains(where: \.schema.isSecret)
    var reasons = draft?.reasons ?? [:]
    var rows: [String: EntriesMarkup] = [:]
    var entryProblems: [String: [ErrorSummary.Problem]] = [:]
    for (index, field) in fields.enumerated() where FieldControl(field.schema) == .entries {
      let given = values[field.name] ?? field.schema.defaultValue
      let lines = draft?.typed[field.name] ?? given.map { FieldControl.texts(of: $0, in: field.schema) } ?? []
      let markup = EntriesMarkup(
        field, id: FieldMarkup.id(index), lines: lines, reasons: reasons, isReadOnly: isReadOnly, hasSecrets: hasSecrets)
      let placed = markup.problems(reasons)
      for (key, _) in placed { reasons[key] = nil }
      (rows[field.name], entryProblems[field.name]) = (markup, placed.map(\.problem))
    }
    let sorted = FormReasons(reasons, of: fields)
    self.entryProblems = entryProblems
    self.fields = fields.enumerated().map { index, field in
      let own = messages.filter { $0.field == field.name }
      let given = values[field.name] ?? field.schema.defaultValue
      let texts = draft?.typed[field.name] ?? given.map { FieldControl.texts(of: $0, in: field.schema) }
      return FieldMarkup(
        field: field, id: FieldMarkup.id(index), name: FormAnswer.prefix + field.name,
        texts: field.schema.isSecret ? [] : texts ?? [],
        error: sorted.fields[field.name]?.sentence ?? own.first { $0.level == .error }?.text,
        remarks: own.filter { $0.level != .error }.map(\.text), isReadOnly: isReadOnly,
        condition: FieldText.conditionSentence(of: field, among: fields),
        isSecretSent: isReadOnly && draft?.filledSecrets.contains(field.name) == true, shownIf: ShownIf(field),
        entries: rows[field.name], author: field.schema.isSecret ? nil : authors[field.name])
    }
    strayReasons = sorted.otherSentences
  }

  /// Whether there are buttons among the fields.
  var hasButtons: Bool { fields.contains { $0.entries != nil } }

  /// The markup of the fields.
  var html: HTML {
    tag("div", .id("fields"), .class("fields")) {
      for field in fields { field.html }
    }
  }

  /// The errors, each with the id of its field.
  var problems: [ErrorSummary.Problem] {
    fields.flatMap { field in
      (field.error.map { [ErrorSummary.Problem(text: $0, field: field.anchor)] } ?? []) + (entryProblems[field.field.name] ?? [])
    }
      + strayReasons.map { ErrorSummary.Problem(text: $0) }
  }
}
