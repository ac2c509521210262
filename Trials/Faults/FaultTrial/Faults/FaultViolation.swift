/// A daemon that has not borne a fault.
public struct FaultViolation: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with it.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Something that was acknowledged is not there.
    case lost
    /// Something has happened that nobody asked for, or twice.
    case doneTwice = "done twice"
    /// Something that could be read was deleted, or renamed.
    case deleted
    /// A signal has ended the daemon.
    case death
    /// A call was answered NotStored, and has happened.
    case falseNotStored = "NotStored, but done"
    /// It does not do as it should in another way: it hangs, or refuses without a reason.
    case other
  }

  /// What is wrong.
  public var kind: Kind
  /// Of what: the token of a tree, or the daemon.
  public var subject: String
  /// What had to be expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Puts a violation together.
  public init(_ kind: Kind, of subject: String, expected: String, found: String) {
    (self.kind, self.subject, self.expected, self.found) = (kind, subject, expected, found)
  }

  /// For people.
  public var description: String { "\(kind.rawValue): \(subject)\n  expected: \(expected)\n  found:    \(found)" }
}
