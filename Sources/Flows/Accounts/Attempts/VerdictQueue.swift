/// Who waits for the verdict on somebody else's check of the same name.
struct VerdictQueue {
  private var waiting: [AttemptName: [PendingAnswer<Void>]] = [:]

  /// Joins those who wait for a verdict on `name`.
  ///
  /// - Parameter name: whom it is about.
  /// - Returns: what to wait for.
  mutating func join(_ name: AttemptName) -> PendingAnswer<Void> {
    let turn = PendingAnswer<Void>()
    // Those who were cancelled have no more use for theirs.
    waiting[name] = (waiting[name] ?? []).filter(\.isWanted) + [turn]
    return turn
  }

  /// Lets all go on that wait for a verdict on `name`, in the order in which they came: each asks the ledger again.
  mutating func release(_ name: AttemptName) {
    for turn in waiting.removeValue(forKey: name) ?? [] { turn.give(.success(())) }
  }
}
