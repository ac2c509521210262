/// A change of a tree without a call that a call or its caller has set off. It is still pending if the daemon is killed before
/// it happens.
public struct Sequel: Sendable, Hashable {
  /// The kind of a sequel.
  public enum Kind: Sendable, Hashable {
    /// Work ends. After a kill it begins again.
    case work
    /// Work that took a secret ends. After a kill its coordinator receives the interruption of the work, and nothing else
    /// happens.
    case confidentialWork
    /// The tree ends, because its caller has left.
    case end
  }

  /// The kind of sequel.
  public let kind: Kind
  /// The expected state of the tree after it; nil while that is unknown.
  public internal(set) var after: Standing?
  /// Whether the daemon was killed since it was set off.
  var wasCut = false
  /// Whether another process performs the work, which may be killed at any time, or may report its result before the daemon is.
  let hasProvider: Bool
  /// Whether a daemon that was started since then has shown that the sequel had not happened before the kill.
  private var isOverdue = false

  init(_ kind: Kind, after: Standing? = nil, hasProvider: Bool = false) {
    (self.kind, self.after, self.hasProvider) = (kind, after, hasProvider)
  }

  /// Records that the sequel has not happened yet.
  mutating func isAwaitedStill() { isOverdue = wasCut }

  /// Whether work may have been interrupted.
  var mayBeInterrupted: Bool { kind == .confidentialWork && (wasCut || hasProvider) }
  /// Whether work must have been interrupted.
  var hasToBeInterrupted: Bool { kind == .confidentialWork && isOverdue && !hasProvider }
}

extension Standing {
  /// Whether the top screen reports that work was interrupted.
  var tellsOfInterruption: Bool {
    let messages = window?.screens.last?["messages"]?.elements ?? []
    return messages.contains { $0.vardict?["code"]?.string == "interrupted" }
  }

  /// Whether the top screen shows that work is running.
  var isBusy: Bool { window?.screens.last?["progress"] != nil }
}
