import CoordinatorKit
import RendererKit

/// A form that is being filled in, field by field.
struct FormDraft: Sendable, Hashable {
  let form: Form
  /// The id of the screen that shows the form.
  let screen: UInt64
  /// The answers so far, including secrets.
  private(set) var answers: [String: JSONValue] = [:]
  /// The reasons why the last answers were refused, by field.
  private(set) var reasons: [String: String] = [:]
  /// The value to offer for each field.
  private var defaults: [String: JSONValue]
  private var remaining: [Field]
  /// The fields that were answered here, even if the daemon refused the answer.
  private var touched: Set<String> = []

  /// Creates a draft without answers.
  ///
  /// - Parameters:
  ///   - form: form to fill in.
  ///   - screen: id of the screen that shows it.
  ///   - values: values that the flow fills in.
  ///   - kept: saved draft of the screen, possibly typed in another renderer.
  init(form: Form, screen: UInt64, values: [String: JSONValue], kept: [String: JSONValue] = [:]) {
    self.form = form
    self.screen = screen
    remaining = form.fields
    defaults = [:]
    refresh(values: values, kept: kept)
  }

  /// Updates the offered values of the fields that were not answered here.
  ///
  /// - Parameters:
  ///   - values: values that the flow fills in now.
  ///   - kept: saved draft of the screen.
  mutating func refresh(values: [String: JSONValue], kept: [String: JSONValue]) {
    for field in form.fields where !field.schema.isSecret && !touched.contains(field.name) {
      let typed = kept[field.name].flatMap { field.value(typed: $0) }
      defaults[field.name] = typed ?? values[field.name] ?? field.schema.defaultValue
    }
  }

  /// The next field to ask for, or nil if the form is complete.
  var current: Field? { remaining.first }

  /// The value of an empty answer to the current field; nil if there is none.
  var currentDefault: JSONValue? { current.flatMap { defaults[$0.name] } }

  /// Records the answer to the current field; nil leaves the field out.
  mutating func answer(_ value: JSONValue?) {
    guard !remaining.isEmpty else { return }
    let field = remaining.removeFirst()
    answers[field.name] = value
    touched.insert(field.name)
    reasons[field.name] = nil
    if !field.schema.isSecret { defaults[field.name] = value }
  }

  /// Removes the answers that the daemon refused, and keeps the others.
  ///
  /// - Returns: the reasons that concern no field of the form.
  mutating func reject(_ reasons: [String: String]) -> [String: String] {
    let wrong = form.fields.filter { reasons[$0.name] != nil }
    let names = Set(wrong.map(\.name))
    self.reasons = reasons.filter { names.contains($0.key) }
    // No field is to blame, so every field has to be reviewed.
    remaining = wrong.isEmpty ? form.fields : wrong
    for field in remaining { answers[field.name] = nil }
    return reasons.filter { !names.contains($0.key) }
  }

  /// The answers to save as a draft for other renderers; never includes a secret.
  var unsent: [String: JSONValue] {
    let names = Set(form.fields.filter { !$0.schema.isSecret }.map(\.name))
    return answers.filter { names.contains($0.key) }
  }

  /// Asks for every field again, and offers the previous answers.
  mutating func startOver() {
    remaining = form.fields
    answers = [:]
    reasons = [:]
  }
}

extension Field {
  /// Interprets a value of a draft, which may be the text of an unfinished value; returns nil if it is not valid yet.
  fileprivate func value(typed value: JSONValue) -> JSONValue? {
    if case .string(let text) = value {
      guard case .value(let value) = FieldAnswer(text, for: self, offered: nil) else { return nil }
      return value
    }
    return Form(self).schema.check([name: value]).isEmpty ? value : nil
  }
}
