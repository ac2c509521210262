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
    // A row that an empty line chooses may not have been printed yet.
    let isNamed = isSuggested(by: screen) || choices?.onlyFound != nil
    let title = isNamed ? ") \(standard.choice.title.printable)" : ""
    return Prompt(Text("Choice [{choice}]{more}: ", ["choice": "\(standard.number)\(title)", "more": more]).string)
  }

  /// The choice that an empty line makes: the only row that was found, the screen's suggestion, the only primary action, or the
  /// only choice. While the screen is busy, only a row or a primary action qualifies: an empty line typed too early must not
  /// select an action that stops the work.
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

  /// Returns whether an empty line chooses the screen's suggestion.
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

/// Choosing several items of a list.
extension Conversation {
  /// The word that chooses no item.
  static var noItem: String {
    // TRANSLATORS: What users type to choose no row at all.
    Text("none", context: "rows").string
  }

  /// Returns the prompt of a list on which several items are chosen. It includes the effect of an empty line.
  func prompt(for several: SeveralChoice) -> String {
    var text = Text("{request}, separated by commas", ["request": several.request]).string
    let chosen = choices?.entries.filter { several.contains($0.choice.id) && $0.choice.isItem } ?? []
    if several.reason == nil {
      let numbers = chosen.map { String($0.number) }.joined(separator: ", ")
      let many = Text(one: "{count} item", other: "{count} items", count: chosen.count).string
      text += chosen.isEmpty ? " [\(Self.noItem)]" : chosen.count > 10 ? " [\(many)]" : " [\(numbers)]"
    }
    return text
  }

  /// Handles a line on a list on which several items are chosen; returns nil if it is not a choice of items.
  mutating func answerSeveral(_ line: String, _ suggested: SeveralChoice, on top: PresentedScreen) -> [Effect]? {
    guard let list = choices, let items = top.screen.items else { return nil }
    var several = suggested
    if !line.isEmpty {
      if let choice = list.choice(line), !choice.isItem { return nil }
      switch Self.items(line, in: list) {
      case .success(let chosen): several.replace(with: chosen)
      case .failure(let wrong): return wrong.lines.isEmpty ? nil : [.print(wrong.lines)] + ask()
      }
    }
    if let reason = several.reason { return [.print([reason])] + ask() }
    return several.payload(of: items).map { delegate(Event.select, $0, on: top) }
  }

  /// Why a line chooses no items. Without lines, the line is not a choice.
  private struct Wrong: Error { var lines: [String] = [] }

  private static func items(_ line: String, in list: ChoiceList) -> Result<[Item], Wrong> {
    // The name of an item may contain a comma.
    if case .item(let item)? = list.choice(line) { return enabled([item]) }
    if [noItem, "none"].contains(line.lowercased()) { return .success([]) }
    var chosen: [Item] = []
    for part in line.bytes.split(separator: ",").map(\.trimmed) where !part.isEmpty {
      guard case .item(let item)? = list.choice(part) else {
        guard line.utf8.contains(UInt8(ascii: ",")) else { return .failure(Wrong()) }
        let line = Text("There is no row '{row}'. {advice}", ["row": part.printable, "advice": list.advice]).string
        return .failure(Wrong(lines: [line]))
      }
      chosen.append(item)
    }
    return enabled(chosen)
  }

  private static func enabled(_ items: [Item]) -> Result<[Item], Wrong> {
    let reasons = items.compactMap { item in
      item.disabled.map { reason in
        Text("{row} cannot be chosen: {reason}", ["row": item.title.printable, "reason": reason.printable]).string
      }
    }
    return reasons.isEmpty ? .success(items) : .failure(Wrong(lines: reasons))
  }
}

/// Checking the answers of a form before they are sent.
extension Conversation {
  /// Whether a user sees the answers before they are sent: false for a pipe, where each line is an answer, and for a single
  /// answer, which has just been given.
  var isChecked: Bool { isInteractive && (draft?.shown.count ?? 0) > 1 }

  /// Lists the answers of the form, and asks whether to change one of them.
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

  /// Returns whether a line means that the form is sent.
  private static func sends(_ line: String, by action: Action) -> Bool {
    // TRANSLATORS: What a user may type to send a form, in lower case.
    let words = ["", "send", Text("send", context: "typed").string, action.id.lowercased(), action.title.lowercased()]
    return words.contains(line.lowercased())
  }
}
