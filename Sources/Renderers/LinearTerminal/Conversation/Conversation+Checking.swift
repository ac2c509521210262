import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// Checking the answers of a form before they are sent.
extension Conversation {
  /// Whether a user sees the answers before they are sent: not over a pipe, where each line is an answer, and not if
  /// there is only one, which has just been given.
  var isChecked: Bool { isInteractive && (draft?.shown.count ?? 0) > 1 }

  /// Lists the answers of the form, and asks whether one of them is to be changed.
  mutating func check() -> [Effect] {
    guard let top = window?.top, let draft else { return [] }
    phase = .checking
    var lines = ["", Text("Check your answers:").string]
    for (index, field) in draft.shown.enumerated() { lines += self.lines(of: field, number: index + 1, in: draft) }
    extras = []
    lines += alternatives(in: top.screen)
    return [.print(lines), .prompt(checkPrompt(on: top))]
  }

  private func checkPrompt(on top: PresentedScreen) -> Prompt {
    guard draft?.current == nil, let action = top.screen.submission else {
      return Prompt(Text("Number to change [go on]: ").string)
    }
    return Prompt(Text("Number to change, or send [{action}]: ", ["action": action.title.printable]).string)
  }

  private func lines(of field: Field, number: Int, in draft: FormDraft) -> [String] {
    let title = FieldText.title(of: field)
    let values = text(of: field, in: draft)
    return ["  \(number)) \(title): \(values[0])"] + values.dropFirst().map { "     " + $0 }
  }

  /// Returns the lines of an answer; never empty, and without a secret.
  private func text(of field: Field, in draft: FormDraft) -> [String] {
    guard draft.isSettled(field) else { return [Text("not answered yet").string] }
    guard let value = draft.payload[field.name], !value.isNull else { return [Text("no answer").string] }
    if field.schema.isSecret { return [Text("not shown").string] }
    if case .object? = FieldText.entrySchema(of: field.schema)?.rule, let entries = value.array, !entries.isEmpty {
      return entries.map { FieldText.text(of: [$0], in: field.schema).printable }
    }
    let text = FieldText.text(of: value, in: field.schema)
    let lines = field.schema.isMultiline ? (value.string ?? text).printableLines : [text.printable]
    return lines.allSatisfy(\.isEmpty) ? [Text("no answer").string] : lines
  }

  /// Handles a line after the list of the answers.
  mutating func answerCheck(_ line: String, on top: PresentedScreen) -> [Effect] {
    if let effects = command(line, isAnswer: false, on: top) { return effects }
    if let id = line.bytes.dropping(prefix: Self.actionMark) { return alternative(id.trimmed, on: top) }
    guard var draft else { return ask() }
    if let number = Int(line), draft.shown.indices.contains(number - 1) {
      misunderstandings = 0
      draft.reopen(draft.shown[number - 1])
      self.draft = draft
      return askField()
    }
    let isComplete = draft.current == nil
    if line.isEmpty, !isComplete { return askField() }
    guard isComplete, let action = top.screen.submission, Self.sends(line, by: action) else {
      let advice = Text("Enter a number from 1 to {count} to change that answer, or an empty line.", ["count": draft.shown.count])
      return [.print([advice.string] + misunderstood()), .prompt(checkPrompt(on: top))]
    }
    return delegate(action.id, draft.payload, on: top)
  }

  /// Whether a line means that the form is sent.
  private static func sends(_ line: String, by action: Action) -> Bool {
    // TRANSLATORS: What a user may type to send a form, in lower case.
    let words = ["", "send", Text("send", context: "typed").string, action.id.lowercased(), action.title.lowercased()]
    return words.contains(line.lowercased())
  }
}
