import CoordinatorBus
import CoordinatorKit
import RendererKit

/// Input from the keyboard.
extension Conversation {
  mutating func answer(_ line: String) -> [Effect] {
    guard let window, let top = window.top else { return [] }
    switch phase {
    case .askingChoice: return answerChoice(line.trimmed, on: top)
    case .askingField: return answerField(line, on: top)
    case .askingEnd: return answerEnd(line.trimmed.lowercased(), on: top)
    default: return []
    }
  }

  // MARK: Choices

  func choicePrompt(for screen: Screen) -> Prompt {
    if let standard = standardChoice(of: screen) { return Prompt("Choice [\(standard.number)]: ") }
    return Prompt(choices?.hasMore == true ? "Choice (Enter: more, /text: find): " : "Choice: ")
  }

  /// The choice that an empty line makes: the only primary action, or the only choice. While the screen is busy, only a
  /// primary action qualifies: an empty line typed too early must not select an action that stops the work.
  private func standardChoice(of screen: Screen) -> ChoiceList.Entry? {
    let entries = choices?.entries ?? []
    let primary = entries.filter { if case .action(let action) = $0.choice { action.role == .primary } else { false } }
    if primary.count == 1, screen.items == nil || entries.count == 1 { return primary[0] }
    guard entries.count == 1, screen.progress == nil else { return nil }
    switch entries[0].choice {
    case .item: return entries[0]
    case .action(let action): return screen.items == nil && action.role != .destructive ? entries[0] : nil
    }
  }

  private mutating func answerChoice(_ line: String, on top: PresentedScreen) -> [Effect] {
    if let effects = command(line, on: top) { return effects }
    guard let list = choices else { return ask() }
    let chosen = line.isEmpty ? standardChoice(of: top.screen)?.choice : list.choice(line)
    if chosen == nil, line.isEmpty, list.hasMore { return more() }
    if chosen == nil, line.hasPrefix("/"), top.screen.items != nil { return find(String(line.dropFirst())) }
    switch chosen {
    case .item(let item): return delegate("select", ["id": .string(item.id)], on: top)
    case .action(let action): return delegate(action.id, [:], on: top)
    case nil:
      let lines = (list.isGone(line) ? ["The choice with this number is gone."] : []) + [list.advice]
      return [.print(lines), .prompt(choicePrompt(for: top.screen))]
    }
  }

  /// Handles a command that is valid at any prompt; returns nil if the line is not a command.
  mutating func command(_ line: String, on top: PresentedScreen) -> [Effect]? {
    switch line {
    case "q": return leave()
    case "?": return [.print(help)] + ask()
    case "b":
      let step = window.map(LeavingStep.init(in:)) ?? .none
      guard step != .none else { return [.print(["There is no way back from this screen."])] + ask() }
      guard let question = step.question else {
        phase = .calling
        return [.back(screen: top.id)]
      }
      (phase, askedEnd) = (.askingEnd, question)
      return [.prompt(Prompt("\(question) (y/N): "))]
    default: return nil
    }
  }

  /// Handles the answer to the question whether to end the flow.
  private mutating func answerEnd(_ line: String, on top: PresentedScreen) -> [Effect] {
    switch line {
    case "y", "yes":
      phase = .calling
      return [.back(screen: top.id)]
    case "q": return leave()
    default: return isUpToDate ? ask() : takeChanges(to: window?.top) ?? show()
    }
  }

  mutating func delegate(
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

  /// Whether the screen is a form that can currently be sent.
  func isFillable(_ screen: Screen) -> Bool { screen.isFillable }

  /// Returns lines with the actions of a form other than sending it.
  func alternatives(in screen: Screen) -> [String] {
    let primary = screen.submission
    return screen.actions.filter { $0 != primary }.map { "  !\($0.id.printable)  \($0.title.printable)" }
  }
}
