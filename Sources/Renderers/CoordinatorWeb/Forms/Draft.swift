import CoordinatorKit

/// What was typed on a screen, and what was wrong with it. Never holds a secret.
public struct Draft: Sendable, Hashable {
  /// How far it has come.
  public enum Stage: Sendable, Hashable {
    /// It is being filled in.
    case open
    /// It was sent, but the daemon was away.
    case undelivered
    /// It was taken, and what it set off is under way.
    case sent
  }

  /// The screen.
  public var screen: UInt64
  /// What was typed, by field, as the controls have it: several texts for a list.
  public var typed: [String: [String]]
  /// What is wrong, by field.
  public var reasons: [String: String]
  /// What is wrong with the answer as a whole.
  public var problem: String?
  /// What did not work when it was sent. It is told once, since it may work the next time.
  public var failure: String?
  /// How far it has come.
  public var stage = Stage.open
  /// The secrets that were filled in, by field: that they were, and no more.
  public var filledSecrets: Set<String> = []

  /// A draft of a screen.
  public init(
    screen: UInt64, typed: [String: [String]] = [:], reasons: [String: String] = [:], problem: String? = nil
  ) {
    self.screen = screen
    self.typed = typed
    self.reasons = reasons
    self.problem = problem
  }
}
