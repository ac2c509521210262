/// What came of a trial of power cuts.
public struct PowerCutReport: Sendable {
  /// A state of the disk that the daemon has not borne.
  public struct Failure: Sendable {
    /// Which cut, at which record, and what was lost of what was not synced.
    public var cut: String
    /// What is wrong.
    public var violation: FaultViolation
  }

  /// What was recorded.
  public internal(set) var records = 0
  /// How many of these were syncs.
  public internal(set) var syncs = 0
  /// Calls that were answered meanwhile.
  public internal(set) var acknowledged = 0
  /// Flow trees that these were of.
  public internal(set) var trees = 0
  /// States of the disk that were looked at.
  public internal(set) var states = 0
  /// How many of them had lost something.
  public internal(set) var lossyStates = 0
  /// How many a daemon was started from.
  public internal(set) var daemons = 0
  /// How many calls that were acknowledged were taken back, at most, where that is allowed.
  public internal(set) var takenBack = 0
  /// What was wrong.
  public internal(set) var failures: [Failure] = []
  /// How long it took.
  public internal(set) var duration = Duration.zero

  /// How many were wrong in some way.
  public func count(_ kind: FaultViolation.Kind) -> Int { failures.count { $0.violation.kind == kind } }
}

extension PowerCutReport: CustomStringConvertible {
  /// A table for people.
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
