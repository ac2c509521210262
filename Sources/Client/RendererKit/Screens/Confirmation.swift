import CoordinatorKit

/// The question that a renderer asks before it sends the event of an action.
public struct Confirmation: Sendable, Hashable {
  /// The title of the choice that sends nothing.
  public static var cancelTitle: String { Text("Cancel").string }

  /// The action that is sent if the user agrees.
  public let action: Action
  /// The question, as its author wrote it.
  public let question: String

  /// Creates the question of an action; nil if the action is sent without one.
  ///
  /// - Parameter action: action that the user has chosen.
  public init?(of action: Action) {
    guard action.disabled == nil, let question = action.confirmation else { return nil }
    self.action = action
    self.question = question
  }

  /// Whether the choice that sends nothing initially has the focus, because the action destroys something.
  public var isCautious: Bool { action.role == .destructive }

  /// Returns whether the question still applies to a screen: the same action is offered with the same question.
  ///
  /// - Parameter screen: screen that is shown now.
  /// - Returns: whether it applies.
  public func applies(to screen: Screen) -> Bool {
    screen.actions.contains { $0.id == action.id && Confirmation(of: $0) == self }
  }
}
