import CoordinatorKit
import RendererKit

/// A form that is being filled in, field by field.
struct FormDraft: Sendable, Hashable {
  let form: Form
  /// The id of the screen that shows the form.
  let screen: UInt64
  /// The answers so far, including secrets and values of fields that are no longer shown.
  private var answers: [String: JSONValue] = [:]
  /// The reasons why the last answers were refused, by field.
  private(set) var reasons: [String: String] = [:]
  /// The lines so far of an answer that may have several lines.
  private(set) var lines: [String] = []
  /// Whether the requested secret is shown while it is typed.
  var isRevealing = false
  /// The value to offer for each field.
  private var defaults: [String: JSONValue]
  /// The fields whose offered value was typed earlier or elsewhere, and not sent.
  private var typed: Set<String> = []
  /// The names of the fields that no longer need to be asked for.
  private var settled: Set<String> = []
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
      let given = values[field.name] ?? field.schema.defaultValue
      let unsent = kept[field.name].flatMap { field.value(typed: $0) }
      defaults[field.name] = unsent ?? given
      if unsent != nil, unsent != given { typed.insert(field.name) } else { typed.remove(field.name) }
    }
  }

  /// The next field to ask for, or nil if the form is complete. An answer may show a field that precedes its own.
  var current: Field? { shown.first { !settled.contains($0.name) } }

  /// The fields that are shown with the answers so far.
  var shown: [Field] { form.shownFields(in: answers) }

  /// The position of the current field among the shown fields, from 1, and their number; nil if the form is complete, or has
  /// only one field.
  var position: (number: Int, count: Int)? {
    let shown = shown
    guard shown.count > 1, let index = shown.firstIndex(where: { !settled.contains($0.name) }) else { return nil }
    return (index + 1, shown.count)
  }

  /// Returns whether a field was answered or left out.
  func isSettled(_ field: Field) -> Bool { settled.contains(field.name) }

  /// Asks for a field again. Its answer is offered, unless it is a secret.
  mutating func reopen(_ field: Field) {
    if field.schema.isSecret { answers[field.name] = nil }
    settled.remove(field.name)
    lines = []
  }

  /// Whether the value of an empty answer to the current field was typed earlier, here or elsewhere, and not sent.
  var isCurrentDefaultTyped: Bool {
    current.map { typed.contains($0.name) && !touched.contains($0.name) && defaults[$0.name] != nil } ?? false
  }

  /// The value of an empty answer to the current field; nil if there is none.
  var currentDefault: JSONValue? { current.flatMap { defaults[$0.name] } }

  /// The answers to the fields that are shown, including secrets.
  var payload: [String: JSONValue] {
    let names = Set(shown.map(\.name))
    return answers.filter { names.contains($0.key) }
  }

  /// Whether input was entered here that has not been sent.
  var isTouched: Bool { !touched.isEmpty || !lines.isEmpty }

  /// Records the answer to the current field; nil leaves the field out.
  mutating func answer(_ value: JSONValue?) {
    guard let field = current else { return }
    answers[field.name] = value
    settled.insert(field.name)
    touched.insert(field.name)
    reasons[field.name] = nil
    isRevealing = false
    if !field.schema.isSecret { defaults[field.name] = value }
  }

  /// Adds a line to an answer that may have several lines.
  mutating func add(_ line: String) { lines.append(line) }

  /// Ends an answer that consists of several lines, and returns the lines.
  mutating func takeLines() -> String {
    defer { lines = [] }
    return lines.joined(separator: "\n")
  }

  /// Removes the answers that the daemon refused, and keeps the others.
  ///
  /// - Returns: the reasons that concern no field of the form.
  mutating func reject(_ reasons: [String: String]) -> [String: String] {
    let told = FormReasons(reasons, of: form.fields)
    self.reasons = told.texts
    // If the reasons name no field, every field must be reviewed.
    for field in form.fields where told.fields.isEmpty || told.fields[field.name] != nil {
      answers[field.name] = nil
      settled.remove(field.name)
    }
    lines = []
    return told.others
  }

  /// The answers to save as a draft for other renderers; never includes a secret.
  var unsent: [String: JSONValue] {
    let names = Set(form.fields.filter { !$0.schema.isSecret }.map(\.name))
    return answers.filter { names.contains($0.key) }
  }

  /// Asks for every field again, and offers the previous answers.
  mutating func startOver() {
    settled = []
    answers = [:]
    reasons = [:]
    lines = []
    isRevealing = false
  }
}

extension Field {
  /// Interprets a value of a draft, which may be the text of an unfinished value; returns nil if it is not valid yet.
  fileprivate func value(typed value: JSONValue) -> JSONValue? {
    if case .string(let text) = value {
      guard case .value(let value) = FieldAnswer(text, for: self, offered: nil, isLiteral: true) else { return nil }
      return value
    }
    return Form(self).schema.check([name: value]).isEmpty ? value : nil
  }
}

/// Renders the content of a screen as lines.
extension LinearRenderer {
  /// Returns the body.
  func text(of screen: Screen) -> [String] {
    screen.markup.map(lines(of:)) ?? (screen.body.isEmpty ? [] : screen.body.printableLines)
  }

  private func lines(of markup: Markup) -> [String] {
    var lines: [String] = []
    var last: Markup.Block.Kind?
    for block in markup.blocks {
      if let last, last != .bullet || block.kind != .bullet { lines.append("") }
      switch block.kind {
      case .paragraph: lines.append(line(of: block))
      case .bullet: lines.append("- " + line(of: block))
      case .verbatim: lines += block.verbatimLines.map { "    " + $0 }
      }
      last = block.kind
    }
    return lines
  }

  private func line(of block: Markup.Block) -> String {
    block.pieces.map { piece in
      guard piece.kind == .strong else { return piece.text }
      return style.isColoured ? style.strong(piece.text) : "*\(piece.text)*"
    }.joined()
  }

  /// Returns the lines of an answer under review. If there are several lines, the first one is on the line of the title.
  func lines(of row: ReviewRow) -> [String] {
    let values = row.value.isEmpty ? [dash] : row.value.printableLines
    return [Text("{label}: {text}", ["label": row.title.printable, "text": values[0]]).string]
      + values.dropFirst().map { "  " + $0 }
  }

  func lines(of picture: Picture) -> [String] {
    switch picture {
    case .image(_, let description): ["[\(description.printable)]"]
    case .code(let text):
      [Text("QR code: {text}", ["text": text.printableLines.first ?? ""]).string] + text.printableLines.dropFirst()
    }
  }
}
