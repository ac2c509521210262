import CoordinatorKit

/// What answers to a screen rest on, in a few digits that go with each of them.
///
/// A screen may be updated between a page and its answer: rows come and go, a count goes up. The answer still means what it meant if the
/// row or the button is the same, and the form has the same fields; and, on a screen that asks one thing, if it asks the same. Who answers
/// without scripts could never answer a screen that is updated faster than people click, if any update counted.
struct AnswerBasis: Sendable {
  private let common: Hasher

  /// The basis of answers to a screen.
  init(of screen: Screen) {
    var hasher = Hasher()
    hasher.combine(screen.kind)
    hasher.combine(screen.form)
    if screen.kind != .list {
      hasher.combine(screen.title)
      hasher.combine(screen.body)
    }
    if screen.kind == .menu { hasher.combine(screen.actions) }
    common = hasher
  }

  /// What choosing a row rests on. It holds as long as this process, as sessions do.
  func digits(for item: Item) -> String { digits(with: item) }

  /// What pressing a button rests on.
  func digits(for action: Action) -> String { digits(with: action) }

  private func digits(with choice: some Hashable) -> String {
    var hasher = common
    hasher.combine(choice)
    return String(UInt(bitPattern: hasher.finalize()), radix: 36)
  }
}
