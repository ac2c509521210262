import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// Filling in a form, field by field.
extension Conversation {
  /// The line that ends an answer of several lines.
  static let endOfLines = "."

  /// Asks for the current field of the draft. If the form is complete, lists the answers, or sends them.
  ///
  /// - Parameter isAgain: whether the field was asked for just before, and its answer was wrong.
  /// - Returns: the effects.
  mutating func askField(isAgain: Bool = false) -> [Effect] {
    guard let top = window?.top, let draft else { return [] }
    guard let field = draft.current else {
      if isChecked { return check() }
      guard let action = top.screen.submission else { return [] }
      return delegate(action.id, draft.payload, on: top)
    }
    phase = .askingField
    guard draft.lines.isEmpty else { return [.prompt(Prompt("> "))] }
    let choices = numberedChoices(of: field.schema)
    let extras = takeExtras()
    var lines = isAgain ? [] : self.position(of: field, isFollowed: !choices.isEmpty || !extras.isEmpty)
    lines += FieldText.help(for: field.schema).map(renderer.style.quiet)
    lines += choices + extras
    if let reason = draft.reasons[field.name] { lines.append(renderer.line(for: .error, reason.printable)) }
    if draft.isCurrentDefaultTyped { lines.append(Text("The answer in brackets was typed before, but not sent.").string) }
    let prompt = Prompt(
      fieldPrompt(for: field, offered: draft.currentDefault), isSecret: field.schema.isSecret && !draft.isRevealing)
    return (lines.isEmpty ? [] : [.print(lines)]) + [.prompt(prompt)]
  }

  /// Handles a line at the prompt for a field.
  mutating func answerField(_ line: String, on top: PresentedScreen) -> [Effect] {
    guard var draft, let field = draft.current else { return [] }
    var text = line
    var isLiteral = false
    let isFirst = draft.lines.isEmpty
    // A secret may be any text, so it is never interpreted as a command. Neither are further lines of a text.
    if !field.schema.isSecret, isFirst {
      let trimmed = line.trimmed
      if let effects = command(trimmed, isAnswer: Self.isAnswer(trimmed, to: field), on: top) { return effects }
      if let id = line.bytes.dropping(prefix: Self.actionMark) { return alternative(id.trimmed, on: top) }
      let literal = line.bytes.dropping(prefix: LineCommand.literalMark).map(String.init)
      isLiteral = literal != nil
      text = literal ?? (FieldText.hasLines(field.schema) ? line : trimmed)
    }
    if line.isEmpty, canReveal(field), !draft.isRevealing {
      draft.isRevealing = true
      self.draft = draft
      return askField(isAgain: true)
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
    switch FieldAnswer(text, for: field, offered: line.isEmpty && isFirst ? draft.currentDefault : nil, isLiteral: isLiteral) {
    case .value(let value): draft.answer(value)
    case .leftOut: draft.answer(nil)
    case .wrong(let reason):
      self.draft = draft
      return complain(about: field, reason.printable)
    }
    misunderstandings = 0
    self.draft = draft
    let isSent = draft.current == nil && !isChecked
    return (isSent || !isInteractive ? [] : [.saveDraft(screen: top.id, draft.unsent)]) + askField()
  }

  /// Says why an answer is wrong, and asks again. No command is understood at the prompt of a secret, so after a second
  /// wrong answer the answers are listed, where all are.
  private mutating func complain(about field: Field, _ reason: String) -> [Effect] {
    let hint = misunderstood()
    let lines = [renderer.line(for: .error, reason)] + hint
    return [.print(lines)] + (field.schema.isSecret && !hint.isEmpty ? check() : askField(isAgain: true))
  }

  /// Whether a line is a valid answer to a field.
  private static func isAnswer(_ line: String, to field: Field) -> Bool {
    if case .value = FieldAnswer(line, for: field, offered: nil) { true } else { false }
  }

  /// Whether an empty line shows a secret while it is typed, because it is no answer.
  private func canReveal(_ field: Field) -> Bool {
    isInteractive && field.schema.isSecret && field.schema.isRevealable && field.isRequiredIfShown
  }

  /// Returns the line that says which of the fields is asked for; none if there is only one and no lines follow. If lines
  /// stand between it and the prompt, it has the title.
  private func position(of field: Field, isFollowed: Bool) -> [String] {
    let title = FieldText.title(of: field)
    guard let position = draft?.position else { return isFollowed ? [title] : [] }
    let place = Text("Field {number} of {count}", ["number": position.number, "count": position.count]).string
    return [isFollowed ? Text("{label}: {text}", ["label": place, "text": title]).string : place]
  }

  private func fieldPrompt(for field: Field, offered: JSONValue?) -> String {
    let title = FieldText.title(of: field)
    var parts = [title]
    switch field.schema.rule {
    case .boolean: parts.append("(\(YesOrNo.letters))")
    case _ where field.schema.isSecret:
      if canReveal(field), draft?.isRevealing != true { parts.append(Text("(an empty line shows what is typed)").string) }
    case _ where FieldText.entrySchema(of: field.schema) != nil: parts.append(Text("(an empty line ends)").string)
    case _ where FieldText.hasLines(field.schema): parts.append(Text("(a line with only a dot ends)").string)
    case .list: parts.append(Text("(separated by commas)").string)
    default: break
    }
    if let offered {
      parts.append("[\(FieldText.text(of: offered, in: field.schema))]")
    } else if !field.isRequiredIfShown {
      parts.append(Text("(optional)").string)
    }
    return Text("{question}: ", ["question": parts.joined(separator: " ")]).string
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
