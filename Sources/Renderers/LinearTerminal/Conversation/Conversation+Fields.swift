import CoordinatorBus
import CoordinatorKit
import RendererKit

/// Filling in a form, field by field.
extension Conversation {
  /// The line that ends an answer of several lines.
  static let endOfLines = "."

  /// Asks for the current field of the draft, or sends the draft if it is complete.
  mutating func askField() -> [Effect] {
    guard let top = window?.top, let draft else { return [] }
    guard let field = draft.current else {
      guard let action = top.screen.submission else { return [] }
      return delegate(action.id, draft.payload, on: top)
    }
    phase = .askingField
    guard draft.lines.isEmpty else { return [.prompt(Prompt("> "))] }
    var lines = FieldText.help(for: field.schema).map(renderer.style.quiet)
    lines += numberedChoices(of: field.schema)
    if let reason = draft.reasons[field.name] { lines.append(renderer.line(for: .error, reason.printable)) }
    let prompt = Prompt(
      fieldPrompt(for: field, offered: draft.currentDefault), isSecret: field.schema.isSecret && !draft.isRevealing)
    return (lines.isEmpty ? [] : [.print(lines)]) + [.prompt(prompt)]
  }

  mutating func answerField(_ line: String, on top: PresentedScreen) -> [Effect] {
    guard var draft, let field = draft.current else { return [] }
    var text = line
    let isFirst = draft.lines.isEmpty
    // A secret may be any text, so it is never interpreted as a command. Neither are further lines of a text.
    if !field.schema.isSecret, isFirst {
      if let effects = command(line.trimmed, on: top) { return effects }
      if line.hasPrefix("!") { return alternative(line.dropFirst().trimmed, on: top) }
      text = line.hasPrefix("=") ? String(line.dropFirst()) : FieldText.hasLines(field.schema) ? line : line.trimmed
    }
    if line.isEmpty, canReveal(field), !draft.isRevealing {
      draft.isRevealing = true
      self.draft = draft
      return askField()
    }
    if FieldText.hasLines(field.schema), !field.schema.isSecret {
      let isEnd = line == Self.endOfLines || line.isEmpty && (isFirst || FieldText.entrySchema(of: field.schema) != nil)
      guard isEnd else {
        draft.add(text)
        self.draft = draft
        return askField()
      }
      text = draft.takeLines()
    }
    switch FieldAnswer(text, for: field, offered: line.isEmpty && isFirst ? draft.currentDefault : nil) {
    case .value(let value): draft.answer(value)
    case .leftOut: draft.answer(nil)
    case .wrong(let reason):
      self.draft = draft
      return [.print([renderer.line(for: .error, reason.printable)])] + askField()
    }
    self.draft = draft
    let isComplete = draft.current == nil
    return (isComplete || !isInteractive ? [] : [.saveDraft(screen: top.id, draft.unsent)]) + askField()
  }

  /// Whether an empty line shows a secret while it is typed, because it is no answer.
  private func canReveal(_ field: Field) -> Bool {
    isInteractive && field.schema.isSecret && field.schema.isRevealable && field.isRequiredIfShown
  }

  private mutating func alternative(_ id: String, on top: PresentedScreen) -> [Effect] {
    let primary = top.screen.submission
    guard let action = top.screen.actions.first(where: { $0.id == id && $0 != primary }) else {
      let lines = [
        Text("There is no action '!{action}' here. To begin an answer with '!', write '=!'.", ["action": id.printable]).string
      ]
      return [.print(lines + alternatives(in: top.screen))] + askField()
    }
    return delegate(action.id, [:], on: top)
  }

  private func fieldPrompt(for field: Field, offered: JSONValue?) -> String {
    var text = FieldText.title(of: field)
    switch field.schema.rule {
    case .boolean: text += " " + YesOrNo.choice()
    case _ where field.schema.isSecret:
      if canReveal(field), draft?.isRevealing != true { text += " " + Text("(an empty line shows what is typed)").string }
    case _ where FieldText.entrySchema(of: field.schema) != nil: text += " " + Text("(an empty line ends)").string
    case _ where FieldText.hasLines(field.schema): text += " " + Text("(a line with only a dot ends)").string
    case .list: text += " " + Text("(separated by commas)").string
    default: break
    }
    if let offered {
      text += " [\(FieldText.text(of: offered, in: field.schema))]"
    } else if !field.isRequiredIfShown {
      text += " " + Text("(optional)").string
    }
    return Text("{question}: ", ["question": text]).string
  }

  private func numberedChoices(of schema: Schema) -> [String] {
    switch schema.rule {
    case .choice(let choices):
      choices.enumerated().map { index, choice in
        let summary = FieldText.summary(of: choice).map { renderer.style.quiet(" \(renderer.dash) \($0)") } ?? ""
        return "  \(index + 1)) \(FieldText.title(of: choice))\(summary)"
      }
    case .list(let rule): numberedChoices(of: rule.items)
    default: []
    }
  }
}
