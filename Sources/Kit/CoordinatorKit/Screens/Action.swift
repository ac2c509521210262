/// Something that the user of a screen can do; its `id` is the event to delegate.
public struct Action: Sendable, Hashable {
  /// What an action means to its user, so that a renderer can draw it accordingly.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    /// What the screen is for. Of a form, the one that takes the payload.
    case primary
    /// Anything else.
    case normal
    /// Leaves without doing what the screen is for.
    case cancel
    /// Destroys something of its user's.
    case destructive
  }

  /// The event to delegate when the user chooses this action.
  public var id: String
  /// What the user reads.
  public var title: String
  /// What the action means to its user. The primary action of a form is the one that takes its payload.
  public var role: Role

  /// An action that delegates the event `id`.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, stable.
  ///   - title: what the user reads.
  ///   - role: what it means to its user.
  public init(_ id: String, _ title: String, role: Role = .normal) {
    self.id = id
    self.title = title
    self.role = role
  }

  /// The action that a screen is for; of a form, the one that takes its payload.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, stable.
  ///   - title: what the user reads.
  /// - Returns: the action.
  public static func primary(_ id: String, _ title: String) -> Action { Action(id, title, role: .primary) }

  /// An action that leaves without doing what the screen is for.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, stable.
  ///   - title: what the user reads.
  /// - Returns: the action.
  public static func cancel(_ id: String, _ title: String) -> Action { Action(id, title, role: .cancel) }

  /// An action that destroys something of its user's.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, stable.
  ///   - title: what the user reads.
  /// - Returns: the action.
  public static func destructive(_ id: String, _ title: String) -> Action { Action(id, title, role: .destructive) }
}
