import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// Input from the keyboard.
extension Conversation {
  mutating func answer(_ line: String) -> [Effect] {
    guard let window, let top = window.top else { return [] }
    switch phase {
    case .askingChoice: return answerChoice(line.trimmed, on: top)
    case .askingField: return answerField(line, on: top)
    case .checking: return answerCheck(line.trimmed, on: top)
    case .askingQuestion: return answerQuestion(line.trimmed.lowercased(), on: top)
    default: return []
    }
  }

  // MARK: Choices

  /// The line that prints more rows of a list on which an empty line makes a choice.
  static let moreLine = "+"

  func choicePrompt(for screen: Screen) -> Prompt {
    let more = choices?.hasMore == true ? " " + Text("(+: more, /text: find)").string : ""
    if let several = SeveralChoice(screen), choices?.entries.isEmpty == false {
      return Prompt(Text("{question}: ", ["question": prompt(for: several) + more]).string)
    }
    guard let standard = standardChoice(of: screen) else {
      return Prompt((choices?.hasMore == true ? Text("Choice (Enter: more, /text: find): ") : Text("Choice: ")).string)
    }
    // A row that is chosen by an empty line may not have been printed yet.
    let isNamed = isSuggested(by: screen) || choices?.onlyFound != nil
    let title = isNamed ? ") \(standard.choice.title.printable)" : ""
    return Prompt(Text("Choice [{choice}]{more}: ", ["choice": "\(standard.number)\(title)", "more": more]).string)
  }

  /// The choice that an empty line makes: the only row that was found, what the screen suggests, the only primary action, or the only choice.
  /// While the screen is busy, only a row or a primary action qualifies: an empty line typed too early must not select
  /// an action that stops the work.
  private func standardChoice(of screen: Screen) -> ChoiceList.Entry? {
    let entries = (choices?.entries ?? []).filter(\.choice.isOffered)
    if let found = choices?.onlyFound { return found.choice.isOffered ? found : nil }
    if let action = screen.suggestedAction { return entries.first { $0.choice.key == .action(action.id.bytes) } }
    if let item = screen.preselectedItem { return entries.first { $0.choice.key == .item(item.id.bytes) } }
    let primary = entries.filter { if case .action(let action) = $0.choice { action.role == .primary } else { false } }
    if primary.count == 1, screen.items == nil || entries.count == 1 { return primary[0] }
    guard entries.count == 1, screen.progress == nil else { return nil }
    switch entries[0].choice {
    case .item: return entries[0]
    case .action(let action): return screen.items == nil && action.role != .destructive ? entries[0] : nil
    case .change: return nil
    }
  }

  /// Whether an empty line chooses what the screen suggests.
  func isSuggested(by screen: Screen) -> Bool { screen.preselectedItem != nil || screen.suggestedAction != nil }

  /// Handles a line at the prompt for a choice.
  mutating func answerChoice(_ line: String, on top: PresentedScreen) -> [Effect] {
    guard let list = choices else { return ask() }
    if let effects = command(line, isAnswer: list.choice(line) != nil, on: top) { return effects }
    if line == Self.moreLine, list.hasMore, list.choice(line) == nil { return more() }
    if let several = SeveralChoice(top.screen), let effects = answerSeveral(line, several, on: top) { return effects }
    let chosen = line.isEmpty ? standardChoice(of: top.screen)?.choice : list.choice(line)
    if chosen == nil, line.isEmpty, list.hasMore { return more() }
    if chosen == nil, top.screen.items != nil, let words = line.bytes.dropping(prefix: "/") { return find(String(words)) }
    switch chosen {
    case .item(let item):
      guard let reason = item.disabled else { return delegate(Event.select, ["id": .string(item.id)], on: top) }
      return [.print([renderer.line(for: .info, reason.printable)]), .prompt(choicePrompt(for: top.screen))]
    case .change(let row): return delegate(ReviewRow.change, row.changePayload ?? [:], on: top)
    case .action(let action): return delegate(action.id, [:], on: top)
    case nil:
      let gone = list.isGone(line) ? [Text("The choice with this number is gone.").string] : []
      return [.print(gone + [list.advice] + misunderstood()), .prompt(choicePrompt(for: top.screen))]
    }
  }

  // MARK: Forms

  /// Whether the screen is a form that can currently be sent.
  func isFillable(_ screen: Screen) -> Bool { screen.isFillable }

  /// The character before the id of an action other than sending the form.
  static let actionMark = "!"

  /// Returns lines with the actions of a form other than sending it.
  func alternatives(in screen: Screen) -> [String] {
    let primary = screen.submission
    return screen.actions.filter { $0 != primary }.map { "  !\($0.id.printable)  \($0.readableTitle.printable)" }
  }

  /// Handles the id of an action other than sending the form.
  mutating func alternative(_ id: String, on top: PresentedScreen) -> [Effect] {
    let primary = top.screen.submission
    guard let action = top.screen.actions.first(where: { $0.id.bytes.equals(id) && $0 != primary }) else {
      let line = Text(
        "There is no action '!{action}' here. To begin an answer with '!', write '=!'.", ["action": id.printable])
      return [.print([line.string] + alternatives(in: top.screen) + misunderstood())] + ask()
    }
    return delegate(action.id, [:], on: top)
  }
}
