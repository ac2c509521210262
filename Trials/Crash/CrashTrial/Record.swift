import Platform

/// The shared record of a trial: its figures, and whether it continues. Safe to use from any thread.
final class Record: Sendable {
  /// The number of violations after which the trial ends.
  private static let enough = 20

  private let state = Lock((figures: Figures(), isStopped: false, isPlaying: true))

  /// The figures so far.
  var figures: Figures { state.withLock(\.figures) }

  /// Whether to continue: the trial was not stopped, and there are not too many violations.
  var goesOn: Bool { state.withLock { !$0.isStopped && $0.figures.violations.count < Self.enough } }

  /// Changes the figures.
  func add(_ change: (inout Figures) -> Void) { state.withLock { change(&$0.figures) } }

  /// Adds a violation.
  func report(_ violation: Violation) { add { $0.violations.append(violation) } }

  /// Whether clients should begin new operations.
  var isPlaying: Bool { state.withLock(\.isPlaying) }

  /// Makes clients complete the operations that they have begun, and then end.
  func endPlay() { state.withLock { $0.isPlaying = false } }

  /// Makes the trial end.
  func stop() { state.withLock { $0.isStopped = true } }
}
