/// Something that the user of a screen can do; its `id` is the event to delegate.
public struct Action: Sendable, Hashable {
  /// What an action means to its user, so that a renderer can draw it accordingly.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    case primary, normal, cancel, destructive
  }

  /// The event to delegate when the user chooses this action.
  public var id: String
  /// What the user reads.
  public var title: String
  /// What the action means to its user. The primary action of a form is the one that takes its payload.
  public var role: Role

  /// An action that delegates the event `id`.
  public init(_ id: String, _ title: String, role: Role = .normal) {
    self.id = id
    self.title = title
    self.role = role
  }

  /// The action that a screen is for; of a form, the one that takes its payload.
  public static func primary(_ id: String, _ title: String) -> Action { Action(id, title, role: .primary) }

  /// An action that leaves without doing what the screen is for.
  public static func cancel(_ id: String, _ title: String) -> Action { Action(id, title, role: .cancel) }

  /// An action that destroys something of its user's.
  public static func destructive(_ id: String, _ title: String) -> Action { Action(id, title, role: .destructive) }
}
