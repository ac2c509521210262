import CoordinatorKit

/// A form while it is being filled in, field by field.
struct FormDraft: Sendable, Hashable {
  let form: Form
  /// The screen that shows the form.
  let screen: UInt64
  /// What is filled in so far, secrets included.
  private(set) var answers: [String: JSONValue] = [:]
  /// What was wrong with the last answers, by field.
  private(set) var reasons: [String: String] = [:]
  /// What to offer for each field.
  private var defaults: [String: JSONValue]
  private var remaining: [Field]
  /// The fields that were answered here, even if the daemon did not take it.
  private var touched: Set<String> = []

  /// A form of which nothing is filled in yet.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - screen: The screen that shows it.
  ///   - values: What the flow fills in.
  ///   - kept: What was typed before, perhaps elsewhere, and not sent.
  init(form: Form, screen: UInt64, values: [String: JSONValue], kept: [String: JSONValue] = [:]) {
    self.form = form
    self.screen = screen
    remaining = form.fields
    defaults = [:]
    refresh(values: values, kept: kept)
  }

  /// Offers other values for the fields that were not answered yet.
  ///
  /// - Parameters:
  ///   - values: What the flow fills in now.
  ///   - kept: What was typed elsewhere, and not sent.
  mutating func refresh(values: [String: JSONValue], kept: [String: JSONValue]) {
    for field in form.fields where !field.schema.isSecret && !touched.contains(field.name) {
      let typed = kept[field.name].flatMap { field.value(typed: $0) }
      defaults[field.name] = typed ?? values[field.name] ?? field.schema.defaultValue
    }
  }

  /// The field to ask for next; nil when the form is complete.
  var current: Field? { remaining.first }

  /// What an empty answer to the current field means; nil if it means nothing.
  var currentDefault: JSONValue? { current.flatMap { defaults[$0.name] } }

  /// Takes the answer to the current field; nil leaves the field out.
  mutating func answer(_ value: JSONValue?) {
    guard !remaining.isEmpty else { return }
    let field = remaining.removeFirst()
    answers[field.name] = value
    touched.insert(field.name)
    reasons[field.name] = nil
    if !field.schema.isSecret { defaults[field.name] = value }
  }

  /// Takes back the answers that the daemon did not take, and keeps the others.
  ///
  /// - Returns: The reasons that are about no field of the form.
  mutating func reject(_ reasons: [String: String]) -> [String: String] {
    let wrong = form.fields.filter { reasons[$0.name] != nil }
    let names = Set(wrong.map(\.name))
    self.reasons = reasons.filter { names.contains($0.key) }
    // Nothing to correct: then everything has to be looked at again.
    remaining = wrong.isEmpty ? form.fields : wrong
    for field in remaining { answers[field.name] = nil }
    return reasons.filter { !names.contains($0.key) }
  }

  /// What is to be kept of it, so that it is there in other renderers: never a secret.
  var unsent: [String: JSONValue] {
    let names = Set(form.fields.filter { !$0.schema.isSecret }.map(\.name))
    return answers.filter { names.contains($0.key) }
  }

  /// Asks for every field again, and offers what was answered.
  mutating func startOver() {
    remaining = form.fields
    answers = [:]
    reasons = [:]
  }
}

extension Field {
  /// What a value of a draft means, which may be the text of one; nil if it means nothing yet.
  fileprivate func value(typed value: JSONValue) -> JSONValue? {
    if case .string(let text) = value {
      guard case .value(let value) = FieldAnswer(text, for: self, offered: nil) else { return nil }
      return value
    }
    return Form(self).schema.check([name: value]).isEmpty ? value : nil
  }
}
