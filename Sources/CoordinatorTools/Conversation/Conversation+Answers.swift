import CoordinatorBus
import CoordinatorKit

/// What comes from the keyboard.
extension Conversation {
  mutating func answer(_ line: String) -> [Effect] {
    guard let window, let top = window.top else { return [] }
    switch phase {
    case .askingChoice: return answerChoice(line.trimmed, on: top)
    case .askingField: return answerField(line, on: top)
    default: return []
    }
  }

  // MARK: Choices

  func choicePrompt(for screen: Screen) -> Prompt {
    let number = standardChoice(of: screen).map { " [\($0 + 1)]" } ?? ""
    return Prompt("Choice\(number): ")
  }

  /// The index of what an empty line chooses: the only primary action, or the only choice.
  private func standardChoice(of screen: Screen) -> Int? {
    let choices = ScreenChoice.all(of: screen)
    if choices.count == 1 { return 0 }
    let primary = choices.indices.filter { index in
      if case .action(let action) = choices[index] { action.role == .primary } else { false }
    }
    return primary.count == 1 && screen.items == nil ? primary[0] : nil
  }

  private mutating func answerChoice(_ line: String, on top: PresentedScreen) -> [Effect] {
    if let effects = command(line, on: top) { return effects }
    let choices = ScreenChoice.all(of: top.screen)
    let chosen: ScreenChoice? =
      if line.isEmpty {
        standardChoice(of: top.screen).map { choices[$0] }
      } else if let number = Int(line), choices.indices.contains(number - 1) {
        choices[number - 1]
      } else {
        choices.first { $0.id == line } ?? choices.first { $0.title.lowercased() == line.lowercased() }
      }
    switch chosen {
    case .item(let item): return delegate("select", ["id": .string(item.id)], on: top)
    case .action(let action): return delegate(action.id, [:], on: top)
    case nil:
      let advice = choices.isEmpty ? "There is nothing to choose." : "Choose with a number from 1 to \(choices.count)."
      return [.print([advice]), .prompt(choicePrompt(for: top.screen))]
    }
  }

  /// What a line means wherever an answer may be given; nil if it is an answer.
  private mutating func command(_ line: String, on top: PresentedScreen) -> [Effect]? {
    switch line {
    case "q": return leave()
    case "?": return [.print(help)] + ask()
    case "b":
      guard top.back else { return [.print(["There is no way back from this screen."])] + ask() }
      phase = .calling
      return [.back(screen: top.id)]
    default: return nil
    }
  }

  private mutating func delegate(
    _ event: String, _ payload: [String: JSONValue], on top: PresentedScreen
  ) -> [Effect] {
    phase = .calling
    return [
      .delegate(
        Delegation(
          coordinator: top.coordinator, screen: top.id, event: event, payload: payload, seen: window?.revision ?? 0))
    ]
  }

  // MARK: Forms

  /// Whether the screen is a form that can be sent now.
  func isFillable(_ screen: Screen) -> Bool { screen.isFillable }

  /// What can be done with a form besides filling it in.
  func alternatives(in screen: Screen) -> [String] {
    let primary = screen.submission
    return screen.actions.filter { $0 != primary }.map { "  !\($0.id.printable)  \($0.title.printable)" }
  }

  /// Asks for the current field of the draft, or sends the draft if it is complete.
  mutating func askField() -> [Effect] {
    guard let top = window?.top, let draft else { return [] }
    guard let field = draft.current else {
      guard let action = top.screen.submission else { return [] }
      return delegate(action.id, draft.answers, on: top)
    }
    phase = .askingField
    var lines: [String] = []
    if let summary = field.schema.summary { lines.append(renderer.style.quiet(summary.printable)) }
    lines += numberedChoices(of: field.schema)
    if let reason = draft.reasons[field.name] { lines.append(renderer.line(for: .error, reason.printable)) }
    let prompt = Prompt(fieldPrompt(for: field, offered: draft.currentDefault), isSecret: field.schema.isSecret)
    return (lines.isEmpty ? [] : [.print(lines)]) + [.prompt(prompt)]
  }

  private mutating func answerField(_ line: String, on top: PresentedScreen) -> [Effect] {
    guard var draft, let field = draft.current else { return [] }
    var text = line
    // A secret may be anything, so that nothing in it is taken for a command.
    if !field.schema.isSecret {
      if let effects = command(line.trimmed, on: top) { return effects }
      if line.hasPrefix("!") { return alternative(line.dropFirst().trimmed, on: top) }
      text = line.hasPrefix("=") ? String(line.dropFirst()) : line.trimmed
    }
    switch FieldAnswer(text, for: field, offered: line.isEmpty ? draft.currentDefault : nil) {
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

  private mutating func alternative(_ id: String, on top: PresentedScreen) -> [Effect] {
    let primary = top.screen.submission
    guard let action = top.screen.actions.first(where: { $0.id == id && $0 != primary }) else {
      let lines = ["There is no '!\(id.printable)' here. To begin an answer with '!', write '=!'."]
      return [.print(lines + alternatives(in: top.screen))] + askField()
    }
    return delegate(action.id, [:], on: top)
  }

  private func fieldPrompt(for field: Field, offered: JSONValue?) -> String {
    var text = (field.schema.title ?? field.name).printable
    switch field.schema.rule {
    case .boolean: text += " (y/n)"
    case .list: text += " (separated by commas)"
    default: break
    }
    if let offered {
      text += " [\(FieldText.text(of: offered, in: field.schema))]"
    } else if !field.isRequired {
      text += " (optional)"
    }
    return text + ": "
  }

  private func numberedChoices(of schema: Schema) -> [String] {
    switch schema.rule {
    case .choice(let choices):
      choices.enumerated().map { "  \($0.offset + 1)) \(FieldText.title(of: $0.element))" }
    case .list(let rule): numberedChoices(of: rule.items)
    default: []
    }
  }
}
