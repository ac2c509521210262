import DequeModule

/// The flows that are to be ended from outside, a few at a time: when a client leaves that has started thousands, the others go on.
///
/// A value that decides: the host does what it says.
struct ClosingLine: Sendable {
  /// A flow that is to be ended.
  struct Closing: Sendable, Hashable {
    /// The name of its root.
    let name: String
    /// Whether its time is up.
    let isTimeout: Bool
  }

  /// How many are being ended at once.
  private static let limit = 16

  private var waiting: Deque<Closing> = []
  private var underWay = 0

  /// A flow is to be ended.
  mutating func add(_ closing: Closing) { waiting.append(closing) }

  /// What to end now; nil if there is nothing, or enough is being ended.
  mutating func next() -> Closing? {
    guard underWay < Self.limit, let closing = waiting.popFirst() else { return nil }
    underWay += 1
    return closing
  }

  /// One has ended.
  mutating func hasEnded() { underWay -= 1 }
}
