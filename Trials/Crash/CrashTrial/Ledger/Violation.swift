/// A contradiction between a daemon and the answers that its client received.
public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a violation.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A change that was acknowledged, or reported by a signal, is missing.
    case lost
    /// More changes have happened than were requested.
    case doneTwice = "done twice"
    /// As many changes have happened as were requested, but different ones; or the daemon's answer is never acceptable.
    case different
  }

  /// The kind of violation.
  public var kind: Kind
  /// The token of the tree, which begins with the name of its client: `client3_1_shop_17`.
  public var tree: String
  /// The state that was reported to the client, or that it must expect.
  public var told: String
  /// The state that the client found.
  public var found: String

  /// Creates a violation.
  public init(_ kind: Kind, tree: String, told: String, found: String) {
    (self.kind, self.tree, self.told, self.found) = (kind, tree, told, found)
  }

  /// A human-readable description.
  public var description: String { "\(kind.rawValue): \(tree)\n  told:  \(told)\n  found: \(found)" }
}
