/// The report of a power cut trial.
public struct PowerCutReport: Sendable {
  /// A state of the disk that the daemon did not survive correctly.
  public struct Failure: Sendable {
    /// The cut, the record before it, and the lost part of the data that was not synced.
    public var cut: String
    /// The violation.
    public var violation: FaultViolation
  }

  /// The number of records.
  public internal(set) var records = 0
  /// The number of records that are syncs.
  public internal(set) var syncs = 0
  /// The number of calls that were answered during the recording.
  public internal(set) var acknowledged = 0
  /// The number of flow trees of these calls.
  public internal(set) var trees = 0
  /// The number of checked states of the disk.
  public internal(set) var states = 0
  /// The number of states in which data could be lost.
  public internal(set) var lossyStates = 0
  /// The number of states from which a daemon was started.
  public internal(set) var daemons = 0
  /// The maximum number of acknowledged calls that a single state had undone, where that is allowed.
  public internal(set) var takenBack = 0
  /// The failures.
  public internal(set) var failures: [Failure] = []
  /// The duration of the trial.
  public internal(set) var duration = Duration.zero

  /// Returns the number of violations of a kind.
  public func count(_ kind: FaultViolation.Kind) -> Int { failures.count { $0.violation.kind == kind } }
}

extension PowerCutReport: CustomStringConvertible {
  /// A human-readable table.
  public var description: String {
    """
    records                             \(records), \(syncs) of them syncs
    acknowledged transitions            \(acknowledged), of \(trees) flow trees
    states tried                        \(states), \(lossyStates) of them with something to lose, \(daemons) by starting a daemon
    taken back at most                  \(takenBack) transitions
    duration                            \(Int(duration / .seconds(1))) s
    acknowledged transitions lost       \(count(.lost))
    done twice                          \(count(.doneTwice))
    inconsistent                        \(failures.count - count(.lost) - count(.doneTwice))
    """
  }
}
