/// A daemon that is not as its client was told.
public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with it.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Something that was acknowledged, or told by a signal, is not there.
    case lost
    /// More has happened than was asked for.
    case doneTwice = "done twice"
    /// As much has happened, but something else; or the daemon answers as it never should.
    case different
  }

  /// What is wrong.
  public var kind: Kind
  /// The token of the tree, which begins with its client: `client3_1_shop_17`.
  public var tree: String
  /// What the client was told, or has to expect.
  public var told: String
  /// What it found.
  public var found: String

  /// Puts a violation together.
  public init(_ kind: Kind, tree: String, told: String, found: String) {
    (self.kind, self.tree, self.told, self.found) = (kind, tree, told, found)
  }

  /// For people.
  public var description: String { "\(kind.rawValue): \(tree)\n  told:  \(told)\n  found: \(found)" }
}
