/// How often somebody was wrong in a row.
struct AttemptTally: Sendable, Hashable {
  /// Wrong answers since the last right one.
  var wrong = 0
  /// Until when no answer is looked at, once there were too many.
  var refusedUntil: Duration?

  /// Nothing to remember.
  static let clean = AttemptTally()

  /// Whether no answer is looked at.
  func isRefused(at now: Duration) -> Bool { refusedUntil.map { now < $0 } ?? false }

  /// Whether the time of refusing is over, and the count starts anew.
  func isOver(at now: Duration) -> Bool { refusedUntil.map { $0 <= now } ?? false }
}
