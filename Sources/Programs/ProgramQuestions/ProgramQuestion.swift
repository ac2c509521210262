import CoordinatorKit

/// A question of a program, as a screen.
package struct ProgramQuestion: Sendable, Hashable {
  /// The screen, with its name.
  package var screen: Screen
  /// Whether the program can go back to the question before.
  package var allowsBack: Bool
  /// The time in seconds after which the program stops waiting; nil if it waits forever. Answer with the event `timeout` then.
  package var timeout: Int?

  /// Creates a question.
  package init(screen: Screen, allowsBack: Bool = false) {
    (self.screen, self.allowsBack) = (screen, allowsBack)
  }
}
