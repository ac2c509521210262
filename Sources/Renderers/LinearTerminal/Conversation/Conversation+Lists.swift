import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import RendererKit

/// Printing lists that are long or that change while they are shown.
extension Conversation {
  /// Returns the lines of the screen's choices; of a long list, the first page.
  mutating func choiceLines(of top: PresentedScreen) -> [String] {
    var list = choices.flatMap { $0.screen == top.id ? $0 : nil } ?? ChoiceList(top)
    _ = list.update(to: top.screen)
    list.begin()
    defer { choices = list }
    let rows = pageLines(&list)
    let others = list.others.map { line(for: $0, list) }
    let hasGroups = top.screen.items?.contains { $0.group != nil } == true
    return rows + (hasGroups && !others.isEmpty ? [""] : []) + others
  }

  /// Prints the next page.
  mutating func more() -> [Effect] {
    guard var list = choices, let top = window?.top else { return [] }
    let lines = pageLines(&list)
    choices = list
    return [.print(lines), .prompt(choicePrompt(for: top.screen))]
  }

  /// Prints only the rows that contain the given words.
  mutating func find(_ text: String) -> [Effect] {
    choices?.begin(finding: text)
    return more()
  }

  /// The name of the input that shows more rows: an empty line, unless that makes a choice.
  private var moreKey: String {
    let isEnter = window?.top.map { SeveralChoice($0.screen) == nil && !isSuggested(by: $0.screen) } ?? true
    return isEnter ? Text("Enter", context: "key").string : Self.moreLine
  }

  private func pageLines(_ list: inout ChoiceList) -> [String] {
    let page = list.nextPage()
    var group: String?
    let lines = page.rows.flatMap { renderer.headings(before: $0.choice, after: &group) + [line(for: $0, list)] }
    guard list.isPaged else { return lines }
    return lines + [renderer.style.quiet("  " + count(told: page.told, of: page.count, list.found).string)]
  }

  /// Returns the line below the rows: the number of rows, and how to show others.
  private func count(told: Int, of count: Int, _ found: RowMatches?) -> Text {
    guard let found else {
      return told < count
        ? Text(
          "{told} of {count}. {key} shows more, /text only rows with these words; an exact name or id also chooses.",
          ["told": told, "count": DecimalNumber.text(of: count), "key": moreKey])
        : Text("{told} of {count}. / shows the list again.", ["told": told, "count": DecimalNumber.text(of: count)])
    }
    guard count > 0 else { return "No rows match these words. / shows the list again." }
    // TRANSLATORS: {found} is how many rows match, such as "12 of 9000".
    return told < count
      ? Text(
        "{found} match, {told} are printed so far. {key} shows more; / shows the list again.",
        ["found": found.count, "told": told, "key": moreKey])
      : Text("{found} match. / shows the list again.", ["found": found.count])
  }

  private func line(for entry: ChoiceList.Entry, _ list: ChoiceList) -> String {
    let choice = entry.choice
    let marks = choice.isItem ? list.found?.marks(title: choice.title.printable, subtitle: choice.subtitle?.printable) : nil
    return renderer.line(for: choice, number: entry.number, width: list.width, marks: marks)
  }

  // MARK: Changes

  /// Adopts a list that has changed while it is shown. Printed rows stay valid, so only the changes are printed.
  ///
  /// - Returns: the effects, or nil if the screen is a different one or no longer a list and must be printed again.
  mutating func takeChanges(to top: PresentedScreen?) -> [Effect]? {
    guard let top, let shown, top.id == shown.id, top.screen.items != nil, shown.screen.items != nil, var list = choices,
      list.screen == top.id, !isFillable(top.screen)
    else { return nil }
    let changes = list.update(to: top.screen)
    choices = list
    self.shown = top
    var lines = news.map { [$0] } ?? []
    if (top.screen.title, top.screen.readableBody) != (shown.screen.title, shown.screen.readableBody) {
      lines += renderer.heading(of: top.screen)
    }
    if top.screen.messages != shown.screen.messages { lines += renderer.messages(of: top.screen) }
    // A list that is refreshed repeatedly reports its progress once.
    if shown.screen.progress == nil, let progress = top.screen.progress {
      if toldProgress?.isOutdated(by: progress, at: nil) ?? true { lines.append(renderer.line(for: progress)) }
      toldProgress = ToldProgress(progress, at: now)
    }
    lines += changes.prefix(ChoiceList.pageLength).map { text(of: $0, list) }
    if changes.count > ChoiceList.pageLength {
      let rest = changes.count - ChoiceList.pageLength
      lines.append(
        Text(
          one: "  and {count} more change; / shows the list again.", other: "  and {count} more changes; / shows the list again.",
          count: rest
        ).string)
    }
    let told: [Effect] = lines.isEmpty ? [] : [.print(lines)]
    guard phase == .askingChoice else { return told + ask() }
    return lines.isEmpty ? [] : [.interruptPrompt] + told + [.prompt(choicePrompt(for: top.screen))]
  }

  private func text(of change: ChoiceList.Change, _ list: ChoiceList) -> String {
    switch change {
    case .gone(let entry): Text("Gone: {row}", ["row": line(for: entry, list).trimmed]).string
    case .new(let entry): Text("New: {row}", ["row": line(for: entry, list).trimmed]).string
    case .different(let entry): Text("Now: {row}", ["row": line(for: entry, list).trimmed]).string
    }
  }
}

/// The other people who have the flow open.
extension Conversation {
  /// Adopts the attached renderers, and prints which users were present, or have come or left. Over a pipe, nothing is printed.
  mutating func take(_ participants: [Participant]) -> [Effect] {
    let before = company.titles
    let come = company.take(participants)
    guard isInteractive, phase != .over, company.titles != before else { return [] }
    let left = before.filter { !company.titles.contains($0) }
    let changes = come.map(Company.joined) + left.map(Company.left)
    return tell(changes.isEmpty ? Company.sentence(of: company.titles).map { [$0] } ?? [] : changes)
  }

  /// Prints lines above the prompt, so that typed text is kept. If a prompt cannot simply be repeated, the lines wait for the
  /// next screen.
  private mutating func tell(_ lines: [String]) -> [Effect] {
    let line: Effect = .print(lines.map(renderer.style.quiet))
    switch phase {
    case .listening: return [line]
    case .askingChoice: return window?.top.map { [.interruptPrompt, line, .prompt(choicePrompt(for: $0.screen))] } ?? [line]
    case .askingField: return [.interruptPrompt, line] + askField(isAgain: true)
    case .checking, .askingQuestion, .counting, .calling, .settling, .outdated, .away, .over:
      asides += lines
      return []
    }
  }
}

/// A numbered choice of a screen.
public enum ScreenChoice: Sendable, Hashable {
  /// An item of a list.
  case item(Item)
  /// An action of the screen.
  case action(Action)
  /// The change of an answer under review.
  case change(ReviewRow)

  /// Returns all choices of a screen in the order of their numbers: the items of a list, then the actions, then the
  /// answers that can be changed.
  public static func all(of screen: Screen) -> [ScreenChoice] {
    (screen.items ?? []).map(ScreenChoice.item) + screen.actions.map(ScreenChoice.action)
      + screen.changeableRows.map { .change(screen.review[$0]) }
  }

  /// The id of the item or the action; of a change, its event and payload as `coordinatorctl send` takes them.
  public var id: String {
    switch self {
    case .item(let item): item.id
    case .action(let action): action.id
    case .change(let row): "\(ReviewRow.change) id=\(row.screen?.number ?? 0)"
    }
  }

  /// Whether the choice is an item of a list.
  var isItem: Bool { if case .item = self { true } else { false } }

  /// Whether the choice can be made now.
  var isOffered: Bool {
    switch self {
    case .item(let item): item.disabled == nil
    case .action(let action): action.disabled == nil
    case .change: true
    }
  }

  /// The heading of the group that an item belongs to; nil for none.
  var group: String? { if case .item(let item) = self { item.group } else { nil } }

  /// The title of the choice, for users.
  public var title: String {
    switch self {
    case .item(let item): item.title
    case .action(let action): action.readableTitle
    case .change(let row): Text("Change {answer}", ["answer": row.title]).string
    }
  }

  /// The title without the explanation of the choice, and without the reason why it cannot be made.
  var name: String { if case .action(let action) = self { action.title } else { title } }

  /// The subtitle of an item; nil for any other choice.
  public var subtitle: String? {
    switch self {
    case .item(let item): item.readableSubtitle
    case .action, .change: nil
    }
  }
}
