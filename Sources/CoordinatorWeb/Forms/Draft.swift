import CoordinatorKit

/// What was typed on a screen and is not answered yet, and what was wrong with it. Never holds a secret.
public struct Draft: Sendable, Hashable {
  /// The screen.
  public var screen: UInt64
  /// What was typed, by field, as the controls have it: several texts for a list.
  public var typed: [String: [String]]
  /// What is wrong, by field.
  public var reasons: [String: String]
  /// What is wrong with the answer as a whole.
  public var problem: String?

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
