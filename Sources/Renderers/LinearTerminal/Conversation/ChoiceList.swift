import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// The numbered choices of a screen. Each choice keeps its number while the screen stays, regardless of choices that are added
/// or removed around it.
///
/// A new choice receives an unused number, so a number typed while the list changes never selects a different choice. A long
/// list is printed in pages.
struct ChoiceList: Sendable, Hashable {
  /// A choice and its number.
  struct Entry: Sendable, Hashable {
    var number: Int
    var choice: ScreenChoice
  }

  /// A change of the choices.
  enum Change: Sendable, Hashable {
    case gone(Entry)
    case new(Entry)
    case different(Entry)
  }

  /// The number of rows in a page.
  static let pageLength = 20
  /// The number of removed choices whose numbers are remembered in case they reappear.
  private static let mostRemembered = 20_000

  let screen: UInt64
  private(set) var entries: [Entry] = []
  private var numbers: [ScreenChoice.Key: Int] = [:]
  private var last = 0
  /// The rows that match the user's search; nil if all are printed.
  private(set) var found: RowMatches?
  /// The number of matching rows printed so far.
  private var told = 0

  /// Creates the choices of a screen. No row counts as printed.
  init(_ presented: PresentedScreen) {
    screen = presented.id
    _ = update(to: presented.screen)
  }

  /// Replaces the choices with those of the screen's current content.
  ///
  /// - Returns: the changes: removed choices first, then the others in the order of the screen. A changed order alone
  ///   is not a change.
  mutating func update(to screen: Screen) -> [Change] {
    let old = Dictionary(entries.map { ($0.choice.key, $0) }, uniquingKeysWith: { first, _ in first })
    if numbers.count > Self.mostRemembered + old.count { numbers = old.mapValues(\.number) }
    var changes: [Change] = []
    entries = ScreenChoice.all(of: screen).map { choice in
      let number = numbers[choice.key] ?? last + 1
      last = max(last, number)
      numbers[choice.key] = number
      let entry = Entry(number: number, choice: choice)
      if let before = old[choice.key] {
        if before.choice != choice { changes.append(.different(entry)) }
      } else {
        changes.append(.new(entry))
      }
      return entry
    }
    if let text = found?.text { search(text) }
    let kept = Set(entries.map(\.choice.key))
    return old.values.filter { !kept.contains($0.choice.key) }.sorted { $0.number < $1.number }.map(Change.gone) + changes
  }

  /// The width of the largest number, in characters.
  var width: Int { String(last).utf8.count }

  // MARK: Answers

  /// Returns the choice with the given number, id, title or name. Several choices with the same name are ambiguous,
  /// because their titles tell them apart. If `yes` and `no` are the only choices, their letters choose them, too.
  ///
  /// After `=`, a number does not select a choice.
  func choice(_ line: String) -> ScreenChoice? {
    if let number = Int(line), let entry = entries.first(where: { $0.number == number }) { return entry.choice }
    if let choice = choice(named: line) { return choice }
    return line.bytes.dropping(prefix: LineCommand.literalMark).flatMap { choice(named: String($0)) }
  }

  private func choice(named line: String) -> ScreenChoice? {
    if let entry = entries.first(where: { $0.choice.id.bytes.equals(line) }) { return entry.choice }
    let text = line.lowercased()
    if let entry = entries.first(where: { $0.choice.title.lowercased() == text }) { return entry.choice }
    let named = entries.filter { $0.choice.name.lowercased() == text }
    return named.count == 1 ? named[0].choice : yesOrNo(line)
  }

  /// Returns the choice that a letter or word for yes or no means; nil if the screen does not ask for yes or no.
  private func yesOrNo(_ line: String) -> ScreenChoice? {
    let id = YesOrNo.id(of: line, among: entries.map(\.choice.id))
    return id.flatMap { id in entries.first { $0.choice.key == .action(id.bytes) }?.choice }
  }

  /// Returns whether the line is the number of a choice that has been removed.
  func isGone(_ line: String) -> Bool {
    guard let number = Int(line), (1...max(last, 1)).contains(number) else { return false }
    return !entries.contains { $0.number == number }
  }

  /// A sentence that explains how to choose.
  var advice: String {
    guard !entries.isEmpty else { return Text("There is nothing to choose.").string }
    let isWhole = entries.map(\.number) == Array(1...entries.count)
    return switch (isWhole, hasRows) {
    case (true, true):
      Text("Enter a number from 1 to {count}, or an exact name or id; /text finds rows.", ["count": entries.count]).string
    case (true, false): Text("Enter a number from 1 to {count}.", ["count": entries.count]).string
    case (false, true): Text("Enter one of the numbers above, or an exact name or id; /text finds rows.").string
    case (false, false): Text("Enter one of the numbers above.").string
    }
  }

  // MARK: Pages

  private var rows: [Entry] { entries.filter(\.choice.isItem) }

  private var hasRows: Bool { entries.contains(where: \.choice.isItem) }

  /// The choices other than rows: actions, and changes of answers under review.
  var others: [Entry] { entries.filter { !$0.choice.isItem } }

  /// Restarts at the first page, and from then on only prints the rows that match a text. An empty text shows all rows.
  mutating func begin(finding text: String = "") {
    search(text)
    told = 0
  }

  private mutating func search(_ text: String) {
    let items = rows.compactMap { entry in if case .item(let item) = entry.choice { item } else { nil } }
    let matches = text.isEmpty ? nil : RowFilter(items).matches(text)
    found = matches?.isEverything == true ? nil : matches
  }

  /// The only row that matches the user's search; nil if several do, or if there is no search.
  var onlyFound: Entry? {
    guard found != nil else { return nil }
    let matches = matches
    return matches.count == 1 ? matches[0] : nil
  }

  /// Returns the next page, the number of rows printed so far, and the number of rows that match.
  mutating func nextPage() -> (rows: [Entry], told: Int, count: Int) {
    let matches = matches
    let page = Array(matches.dropFirst(told).prefix(Self.pageLength))
    told += page.count
    return (page, min(told, matches.count), matches.count)
  }

  /// Whether there are matching rows that have not been printed.
  var hasMore: Bool { rows.count > Self.pageLength && matches.count > told }

  /// Whether the list is printed in pages or filtered.
  var isPaged: Bool { rows.count > Self.pageLength || found != nil }

  private var matches: [Entry] {
    let rows = rows
    return found?.rows.compactMap { rows.indices.contains($0) ? rows[$0] : nil } ?? rows
  }
}

extension ScreenChoice {
  /// The identity of a choice within its screen, independent of its title.
  enum Key: Sendable, Hashable {
    case item(TextBytes)
    case action(TextBytes)
    case change(ReviewRow)
  }

  var key: Key {
    switch self {
    case .item(let item): .item(item.id.bytes)
    case .action(let action): .action(action.id.bytes)
    case .change(let row): .change(ReviewRow(Text(verbatim: row.title), "", on: row.screen))
    }
  }
}
