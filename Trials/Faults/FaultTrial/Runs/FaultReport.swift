/// The report of a fault trial.
public struct FaultReport: Sendable {
  /// A fault that the daemon did not survive correctly.
  public struct Failure: Sendable {
    /// The fault.
    public var fault: Fault
    /// The violation.
    public var violation: FaultViolation
  }

  /// The number of calls in the scenario.
  public internal(set) var calls = 0
  /// The number of file operations in the scenario.
  public internal(set) var operations: UInt32 = 0
  /// The sites of these operations.
  public internal(set) var sites: [FaultSite] = []
  /// The number of planned faults.
  public internal(set) var planned = 0
  /// The number of faults that were tried.
  public internal(set) var tried = 0
  /// The number of tried faults whose operation was reached.
  public internal(set) var injected = 0
  /// The number of operations that failed because of them.
  public internal(set) var failedOperations = 0
  /// The sites at which a fault was injected.
  public internal(set) var sitesHit: Set<UInt64> = []
  /// The failures.
  public internal(set) var failures: [Failure] = []
  /// The duration of the trial.
  public internal(set) var duration = Duration.zero

  /// Returns the number of violations of a kind.
  public func count(_ kind: FaultViolation.Kind) -> Int { failures.count { $0.violation.kind == kind } }
}

extension FaultReport: CustomStringConvertible {
  /// A human-readable table.
  public var description: String {
    """
    operations on files                 \(operations), of \(calls) calls in five lives
    places in the code                  \(sites.count), a fault at \(sitesHit.count) of them
    faults                              \(injected) injected in \(tried) runs, \(failedOperations) operations failed; \(planned) planned
    duration                            \(Int(duration / .seconds(1))) s
    acknowledged changes lost           \(count(.lost))
    done twice                          \(count(.doneTwice))
    deleted or moved aside              \(count(.deleted))
    ended by a signal                   \(count(.death))
    NotStored, but done                 \(count(.falseNotStored))
    otherwise incorrect                 \(count(.other))
    """
  }
}
