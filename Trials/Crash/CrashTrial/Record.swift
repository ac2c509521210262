import Locking

/// Where all that take part in a trial count, and whether it goes on.
final class Record: Sendable {
  /// So many violations say enough.
  private static let enough = 20

  private let state = Lock((figures: Figures(), isStopped: false, isPlaying: true))

  /// What was counted until now.
  var figures: Figures { state.withLock(\.figures) }

  /// Whether to go on: nobody has asked for the end, and there is no flood of violations.
  var goesOn: Bool { state.withLock { !$0.isStopped && $0.figures.violations.count < Self.enough } }

  /// Counts.
  func add(_ change: (inout Figures) -> Void) { state.withLock { change(&$0.figures) } }

  /// Notes what is wrong.
  func report(_ violation: Violation) { add { $0.violations.append(violation) } }

  /// Whether the clients are to begin something new.
  var isPlaying: Bool { state.withLock(\.isPlaying) }

  /// Lets the clients bring to an end what they have begun.
  func endPlay() { state.withLock { $0.isPlaying = false } }

  /// Lets the trial end.
  func stop() { state.withLock { $0.isStopped = true } }
}
