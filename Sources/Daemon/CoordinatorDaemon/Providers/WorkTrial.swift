import CoordinatorKit

/// What has come so far of having one piece of work performed, for deaths of its provider to be charged to the work that
/// causes them (P12). A value that decides; its owner waits.
///
/// As with questions: the first death does not count; then, the work is begun alone, and a death while it is alone counts.
/// Work may take for ever, so it is alone only for a while. A death that comes later counts if nothing else was performed
/// then.
struct WorkTrial: Sendable {
  /// For how long nothing else is begun beside suspect work.
  static let time = Duration.seconds(1)
  /// Work that has gone on for so long is not what its provider dies over.
  static let proof = Duration.seconds(300)

  private var history = AskingHistory()

  /// Whether nothing else may be begun at the same time.
  var isAlone: Bool { history.isSuspect }

  /// Records that a program is told to begin.
  mutating func begin(at program: ServingProgram) { history.ask(program) }

  /// Records that the program had left before it was told to begin, or was replaced by another one.
  mutating func goesOn() { history.wasNotAsked() }

  /// Records that the program has left while it performed the work.
  ///
  /// - Parameters:
  ///   - time: how long that was after the beginning.
  ///   - wasOnly: whether it performed nothing else.
  /// - Returns: whether to begin again.
  mutating func dies(after time: Duration, wasOnly: Bool) -> Bool {
    guard time < Self.proof else {
      self = WorkTrial()
      return true
    }
    guard time < Self.time || wasOnly else {
      history.wasNotAsked()
      return true
    }
    return history.dies()
  }
}
