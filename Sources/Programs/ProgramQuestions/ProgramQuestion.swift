import Forms

/// A question of a program, as a screen.
package struct ProgramQuestion: Sendable, Hashable {
  /// The screen as an object of the contract, with its name.
  package var screen: [String: JSONValue]
  /// Whether the program can go back to the previous question.
  package var allowsBack: Bool
  /// The time in seconds after which the program stops waiting; nil if it waits forever. Answer with the event `timeout` then.
  package var timeout: Int?

  /// Creates a question.
  package init(screen: [String: JSONValue], allowsBack: Bool = false) {
    (self.screen, self.allowsBack) = (screen, allowsBack)
  }
}
