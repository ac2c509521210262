/// A violation of the daemon's guarantees under a fault.
public struct FaultViolation: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a violation.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Acknowledged data is missing.
    case lost
    /// A change has happened that was not requested, or has happened twice.
    case doneTwice = "done twice"
    /// Readable data was deleted or renamed.
    case deleted
    /// A signal has ended the daemon.
    case death
    /// A call was answered `NotStored`, but took effect.
    case falseNotStored = "NotStored, but done"
    /// The daemon misbehaves in another way: it hangs, or refuses a call without a reason.
    case other
  }

  /// The kind of violation.
  public var kind: Kind
  /// The subject: the token of a tree, the daemon, or a file.
  public var subject: String
  /// The expectation.
  public var expected: String
  /// The observation that contradicts it.
  public var found: String

  /// Creates a violation.
  public init(_ kind: Kind, of subject: String, expected: String, found: String) {
    (self.kind, self.subject, self.expected, self.found) = (kind, subject, expected, found)
  }

  /// A human-readable description.
  public var description: String { "\(kind.rawValue): \(subject)\n  expected: \(expected)\n  found:    \(found)" }
}
