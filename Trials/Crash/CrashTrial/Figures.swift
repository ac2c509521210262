/// What a trial has counted.
public struct Figures: Sendable, Hashable {
  /// How often the daemon was killed.
  public internal(set) var kills = 0
  /// How many of these were before it had taken its name.
  public internal(set) var killsDuringStartUp = 0
  /// Transitions that were answered.
  public internal(set) var acknowledged = 0
  /// Flow trees that were started.
  public internal(set) var started = 0
  /// Flow trees that have ended.
  public internal(set) var ended = 0
  /// Calls that had no answer when the daemon was killed, and were made again.
  public internal(set) var repeated = 0
  /// How many of these were starts of flows.
  public internal(set) var repeatedStarts = 0
  /// Calls without an answer that were found to be carried out nevertheless.
  public internal(set) var doubtsDone = 0
  /// Calls without an answer that were not.
  public internal(set) var doubtsNotDone = 0
  /// Pieces of work that ended as done.
  public internal(set) var worksDone = 0
  /// Pieces of work that took a secret and were interrupted by a kill.
  public internal(set) var worksInterrupted = 0
  /// Drafts that were acknowledged.
  public internal(set) var drafts = 0
  /// Flows that ended because their caller had left.
  public internal(set) var callersLeft = 0
  /// How often a whole tree, or a window, was compared with what its client was told.
  public internal(set) var comparisons = 0
  /// How long it took from the start of a process to its first answer.
  public internal(set) var firstAnswers: [Duration] = []
  /// How long it took from the start of a process until all flows were back.
  public internal(set) var restorations: [Duration] = []
  /// How long all of it took.
  public internal(set) var duration = Duration.zero
  /// What was wrong.
  public internal(set) var violations: [Violation] = []

  /// How many violations there were of a kind.
  public func count(_ kind: Violation.Kind) -> Int { violations.count { $0.kind == kind } }

  mutating func noteUnanswered(_ doubt: TreeLedger.Doubt) {
    repeated += 1
    if doubt.isStart { repeatedStarts += 1 }
  }

  mutating func noteCallerLeft() {
    callersLeft += 1
    ended += 1
  }

  mutating func note(_ finding: TreeLedger.Finding) {
    comparisons += 1
    switch finding {
    case .nothing: break
    case .done: doubtsDone += 1
    case .notDone: doubtsNotDone += 1
    }
  }
}
