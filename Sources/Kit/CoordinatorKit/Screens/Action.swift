/// An action that the user of a screen can choose. Its `id` is the event to delegate.
public struct Action: Sendable, Hashable {
  /// The meaning of an action to the user, so that a renderer can draw it accordingly.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    /// The main purpose of the screen. On a form, the action that sends the payload.
    case primary
    /// Any other action.
    case normal
    /// Leaves the screen without doing what it is for.
    case cancel
    /// Destroys something that belongs to the user.
    case destructive
  }

  /// The event to delegate when the user chooses this action.
  public var id: String
  /// The title that the user reads.
  public var title: String
  /// The meaning of the action to the user. On a form, the primary action sends the payload.
  public var role: Role

  /// Creates an action that delegates the event `id`.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  ///   - role: the meaning of the action to the user.
  public init(_ id: String, _ title: String, role: Role = .normal) {
    self.id = id
    self.title = title
    self.role = role
  }

  /// Returns an action that is the main purpose of its screen. On a form, it sends the payload.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  /// - Returns: the action.
  public static func primary(_ id: String, _ title: String) -> Action { Action(id, title, role: .primary) }

  /// Returns an action that leaves the screen without doing what it is for.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  /// - Returns: the action.
  public static func cancel(_ id: String, _ title: String) -> Action { Action(id, title, role: .cancel) }

  /// Returns an action that destroys something that belongs to the user.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  /// - Returns: the action.
  public static func destructive(_ id: String, _ title: String) -> Action { Action(id, title, role: .destructive) }
}

/// Actions whose ids are the cases of an enum, so that the compiler finds a misspelt event. Read them with
/// ``Event/action(as:)``.
///
/// ```swift
/// enum Do: String { case submit, cancel }
///
/// actions: [.primary(Do.submit, "Log in"), .cancel(Do.cancel, "Cancel")]
/// ```
extension Action {
  /// Creates an action that delegates the event of an enum's case.
  ///
  /// - Parameters:
  ///   - id: the case whose raw value is the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  ///   - role: the meaning of the action to the user.
  public init(_ id: some RawRepresentable<String>, _ title: String, role: Role = .normal) {
    self.init(id.rawValue, title, role: role)
  }

  /// Returns an action that is the main purpose of its screen; see ``primary(_:_:)-(String,_)``.
  public static func primary(_ id: some RawRepresentable<String>, _ title: String) -> Action {
    Action(id, title, role: .primary)
  }

  /// Returns an action that leaves the screen; see ``cancel(_:_:)-(String,_)``.
  public static func cancel(_ id: some RawRepresentable<String>, _ title: String) -> Action {
    Action(id, title, role: .cancel)
  }

  /// Returns an action that destroys something; see ``destructive(_:_:)-(String,_)``.
  public static func destructive(_ id: some RawRepresentable<String>, _ title: String) -> Action {
    Action(id, title, role: .destructive)
  }
}
