import CoordinatorKit

/// A screen without an answer that a program shows: an infobox, a gauge, debconf's progress.
struct Display: Sendable, Hashable {
  let source: ConnectionID
  let screen: Screen
  /// Whether it stays after its connection has ended, as what only says something does on a terminal.
  let stays: Bool
}
