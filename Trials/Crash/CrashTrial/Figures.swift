/// The figures of a trial.
public struct Figures: Sendable, Hashable {
  /// The number of kills of the daemon.
  public internal(set) var kills = 0
  /// The number of kills of the flows' provider.
  public internal(set) var providerKills = 0
  /// The number of calls that were refused because the provider was away or had failed, and were repeated.
  public internal(set) var refusedWithoutProvider = 0
  /// The number of kills before the daemon had taken its name.
  public internal(set) var killsDuringStartUp = 0
  /// The number of answered transitions.
  public internal(set) var acknowledged = 0
  /// The number of flow trees that were started.
  public internal(set) var started = 0
  /// The number of flow trees that have ended.
  public internal(set) var ended = 0
  /// The number of calls that had no answer when the daemon was killed, and were repeated.
  public internal(set) var repeated = 0
  /// The number of repeated calls that start flows.
  public internal(set) var repeatedStarts = 0
  /// The number of unanswered calls that turned out to have been carried out.
  public internal(set) var doubtsDone = 0
  /// The number of unanswered calls that turned out not to have been carried out.
  public internal(set) var doubtsNotDone = 0
  /// The number of pieces of work that ended as done.
  public internal(set) var worksDone = 0
  /// The number of pieces of work with a secret that a kill interrupted.
  public internal(set) var worksInterrupted = 0
  /// The number of acknowledged drafts.
  public internal(set) var drafts = 0
  /// The number of flows that ended because their caller had left.
  public internal(set) var callersLeft = 0
  /// The number of comparisons of a whole tree, or a window, with the answers that its client received.
  public internal(set) var comparisons = 0
  /// The times from the start of a process to its first answer.
  public internal(set) var firstAnswers: [Duration] = []
  /// The times from the start of a process until all flows were restored.
  public internal(set) var restorations: [Duration] = []
  /// The duration of the trial.
  public internal(set) var duration = Duration.zero
  /// The violations.
  public internal(set) var violations: [Violation] = []

  /// Returns the number of violations of a kind.
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
