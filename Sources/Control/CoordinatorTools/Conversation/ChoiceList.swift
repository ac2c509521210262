import CoordinatorBus
import CoordinatorKit

/// What can be chosen on a screen, by number: each choice keeps its number as long as the screen stays, whatever comes and goes around it.
///
/// What comes new has a number that nothing had before, so that a number typed while a list changes never means something else. Of a
/// long list some rows are told at a time.
struct ChoiceList: Sendable, Hashable {
  /// A choice with its number.
  struct Entry: Sendable, Hashable {
    var number: Int
    var choice: ScreenChoice
  }

  /// What has become of the choices.
  enum Change: Sendable, Hashable {
    case gone(Entry)
    case new(Entry)
    case different(Entry)
  }

  /// How many rows are told at a time.
  static let pageLength = 20
  /// Of so many choices that are gone the numbers are remembered, should they come again.
  private static let mostRemembered = 20_000

  let screen: UInt64
  private(set) var entries: [Entry] = []
  private var numbers: [ScreenChoice.Key: Int] = [:]
  private var last = 0
  /// What the rows have to hold.
  private var words: [String] = []
  /// How many of these rows have been told.
  private var told = 0

  /// The choices of a screen, of which nothing has been told.
  init(_ presented: PresentedScreen) {
    screen = presented.id
    _ = update(to: presented.screen)
  }

  /// Takes over what there is to choose now.
  ///
  /// - Returns: What is different: what is gone first, then in the order of the screen. An order that is different is not.
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
    let kept = Set(entries.map(\.choice.key))
    return old.values.filter { !kept.contains($0.choice.key) }.sorted { $0.number < $1.number }.map(Change.gone) + changes
  }

  /// The width of the numbers.
  var width: Int { String(last).count }

  // MARK: Answers

  /// The choice with a number, an id or a title.
  func choice(_ line: String) -> ScreenChoice? {
    if let number = Int(line), let entry = entries.first(where: { $0.number == number }) { return entry.choice }
    return (entries.first { $0.choice.id == line } ?? entries.first { $0.choice.title.lowercased() == line.lowercased() })?.choice
  }

  /// Whether there was a choice with that number, and is none any more.
  func isGone(_ line: String) -> Bool {
    guard let number = Int(line), (1...max(last, 1)).contains(number) else { return false }
    return !entries.contains { $0.number == number }
  }

  /// How to choose.
  var advice: String {
    guard !entries.isEmpty else { return "There is nothing to choose." }
    let isWhole = entries.map(\.number) == Array(1...entries.count)
    let numbers = isWhole ? "with a number from 1 to \(entries.count)" : "with one of the numbers above"
    return hasRows ? "Choose \(numbers), or with an exact name or id; /text finds rows." : "Choose \(numbers)."
  }

  // MARK: Pages

  private var rows: [Entry] { entries.filter { if case .item = $0.choice { true } else { false } } }

  private var hasRows: Bool { entries.contains { if case .item = $0.choice { true } else { false } } }

  /// The actions.
  var actions: [Entry] { entries.filter { if case .action = $0.choice { true } else { false } } }

  /// Goes to the beginning again, and looks for words from now on; for none, to tell every row.
  mutating func begin(finding text: String = "") {
    words = text.lowercased().split(separator: " ").map(String.init)
    told = 0
  }

  /// The next rows, and how many there are in all that have the words.
  mutating func nextPage() -> (rows: [Entry], told: Int, count: Int) {
    let matches = matches
    let page = Array(matches.dropFirst(told).prefix(Self.pageLength))
    told += page.count
    return (page, min(told, matches.count), matches.count)
  }

  /// Whether there are rows that have not been told.
  var hasMore: Bool { rows.count > Self.pageLength && matches.count > told }

  /// Whether some rows had to wait, or words were looked for.
  var isPaged: Bool { rows.count > Self.pageLength || !words.isEmpty }

  private var matches: [Entry] {
    guard !words.isEmpty else { return rows }
    return rows.filter { entry in
      let text = (entry.choice.title + " " + (entry.choice.subtitle ?? "") + " " + entry.choice.id).lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }
}

extension ScreenChoice {
  /// What tells a choice from all others of its screen, whatever its title is.
  enum Key: Sendable, Hashable {
    case item(String)
    case action(String)
  }

  var key: Key {
    switch self {
    case .item(let item): .item(item.id)
    case .action(let action): .action(action.id)
    }
  }
}
