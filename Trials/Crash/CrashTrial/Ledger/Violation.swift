/// A contradiction between a daemon and what its client was told.
public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a violation.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Something that was acknowledged, or reported by a signal, is missing.
    case lost
    /// More has happened than was requested.
    case doneTwice = "done twice"
    /// As much has happened as was requested, but something else; or the daemon's answer is never acceptable.
    case different
  }

  /// The kind of violation.
  public var kind: Kind
  /// The token of the tree, which begins with the name of its client: `client3_1_shop_17`.
  public var tree: String
  /// What the client was told or must expect.
  public var told: String
  /// What the client found.
  public var found: String

  /// Creates a violation.
  public init(_ kind: Kind, tree: String, told: String, found: String) {
    (self.kind, self.tree, self.told, self.found) = (kind, tree, told, found)
  }

  /// A human-readable description.
  public var description: String { "\(kind.rawValue): \(tree)\n  told:  \(told)\n  found: \(found)" }
}
