/// The number of wrong passwords in a row for one name.
struct AttemptTally: Sendable, Hashable {
  /// The number of wrong passwords since the last correct one.
  var wrong = 0
  /// The time until which all passwords are refused, after too many wrong ones.
  var refusedUntil: Duration?

  /// A tally without wrong passwords.
  static let clean = AttemptTally()

  /// Returns whether all passwords are refused.
  func isRefused(at now: Duration) -> Bool { refusedUntil.map { now < $0 } ?? false }

  /// Returns whether the refusal has ended, so that counting starts anew.
  func isOver(at now: Duration) -> Bool { refusedUntil.map { $0 <= now } ?? false }
}
