/// The callers that wait for the verdict on another check of the same name.
struct VerdictQueue {
  private var waiting: [AttemptName: [Signal]] = [:]

  /// Adds a caller that waits for a verdict.
  ///
  /// - Parameter name: the name that is being checked.
  /// - Returns: the signal to wait for.
  mutating func join(_ name: AttemptName) -> Signal {
    let turn = Signal()
    // Removes callers that were cancelled, which no longer need a turn.
    waiting[name] = (waiting[name] ?? []).filter(\.isWanted) + [turn]
    return turn
  }

  /// Resumes all callers that wait for a verdict on `name`, in order of arrival. Each asks the ledger again.
  mutating func release(_ name: AttemptName) {
    for turn in waiting.removeValue(forKey: name) ?? [] { turn.give() }
  }
}
