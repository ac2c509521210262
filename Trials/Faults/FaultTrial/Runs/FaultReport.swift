/// What came of a trial of faults.
public struct FaultReport: Sendable {
  /// A fault that the daemon has not borne.
  public struct Failure: Sendable {
    /// Which.
    public var fault: Fault
    /// What is wrong.
    public var violation: FaultViolation
  }

  /// The scenario.
  public internal(set) var calls = 0
  /// How many operations it has on files.
  public internal(set) var operations: UInt32 = 0
  /// Where these are done.
  public internal(set) var sites: [FaultSite] = []
  /// How many faults there were to try.
  public internal(set) var planned = 0
  /// How many were tried.
  public internal(set) var tried = 0
  /// How many of these were come to.
  public internal(set) var injected = 0
  /// How many operations they made fail.
  public internal(set) var failedOperations = 0
  /// The sites at which one was.
  public internal(set) var sitesHit: Set<UInt64> = []
  /// What was wrong.
  public internal(set) var failures: [Failure] = []
  /// How long it took.
  public internal(set) var duration = Duration.zero

  /// How many were wrong in some way.
  public func count(_ kind: FaultViolation.Kind) -> Int { failures.count { $0.violation.kind == kind } }
}

extension FaultReport: CustomStringConvertible {
  /// A table for people.
  public var description: String {
    """
    operations on files                 \(operations), of \(calls) calls in five lives
    places that they are done from      \(sites.count), a fault at \(sitesHit.count) of them
    faults                              \(injected) injected in \(tried) runs, \(failedOperations) operations failed; \(planned) planned
    duration                            \(Int(duration / .seconds(1))) s
    acknowledged changes lost           \(count(.lost))
    done twice                          \(count(.doneTwice))
    deleted or moved aside              \(count(.deleted))
    ended by a signal                   \(count(.death))
    NotStored, but done                 \(count(.falseNotStored))
    otherwise not as it should be       \(count(.other))
    """
  }
}
