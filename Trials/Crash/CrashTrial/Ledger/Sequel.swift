/// What a tree does without a call, once a call or its caller has set it off. When the daemon has been killed meanwhile, it is still to come.
public struct Sequel: Sendable, Hashable {
  /// What there is to come.
  public enum Kind: Sendable, Hashable {
    /// Work ends. A kill lets it begin anew.
    case work
    /// Work ends that took a secret. A kill lets its coordinator be told that it was interrupted, and nothing else.
    case confidentialWork
    /// The tree ends, because its caller has left.
    case end
  }

  /// What is to come.
  public let kind: Kind
  /// How the tree has to stand then; nil as long as it is not known.
  public internal(set) var after: Standing?
  /// Whether the daemon was killed since it was set off.
  var wasCut = false
  /// Whether a daemon that was started since has shown that it had not come by then.
  private var isOverdue = false

  init(_ kind: Kind, after: Standing? = nil) { (self.kind, self.after) = (kind, after) }

  /// Notes that it has not come by now.
  mutating func isAwaitedStill() { isOverdue = wasCut }

  /// Whether work may have been interrupted, and whether it must have been.
  var mayBeInterrupted: Bool { kind == .confidentialWork && wasCut }
  var hasToBeInterrupted: Bool { kind == .confidentialWork && isOverdue }
}

extension Standing {
  /// Whether the screen on top says that work was interrupted.
  var tellsOfInterruption: Bool {
    let messages = window?.screens.last?["messages"]?.elements ?? []
    return messages.contains { $0.vardict?["code"]?.string == "interrupted" }
  }

  /// Whether the screen on top says that work is under way.
  var isBusy: Bool { window?.screens.last?["progress"] != nil }
}
