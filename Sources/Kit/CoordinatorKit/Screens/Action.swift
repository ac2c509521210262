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
  /// The optional properties; nil if all are absent. In a separate allocation, because most actions have none.
  private var extras: Extras?

  /// Creates an action that delegates the event `id`.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  ///   - role: the meaning of the action to the user.
  public init(_ id: String, _ title: Text, role: Role = .normal) {
    self.id = id
    self.title = title.string
    self.role = role
  }

  /// Creates an action whose title is the same in all languages, such as a name that comes from elsewhere.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  ///   - role: the meaning of the action to the user.
  public init(_ id: String, verbatim title: String, role: Role = .normal) {
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
  public static func primary(_ id: String, _ title: Text) -> Action { Action(id, title, role: .primary) }

  /// Returns an action that leaves the screen without doing what it is for.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  /// - Returns: the action.
  public static func cancel(_ id: String, _ title: Text) -> Action { Action(id, title, role: .cancel) }

  /// Returns an action that destroys something that belongs to the user.
  ///
  /// - Parameters:
  ///   - id: the event; unique on its screen, and stable.
  ///   - title: the title that the user reads.
  /// - Returns: the action.
  public static func destructive(_ id: String, _ title: Text) -> Action { Action(id, title, role: .destructive) }
}

extension Action {
  /// The parts of an action that only some have.
  private final class Extras: Sendable, Hashable {
    let summary: String?
    let confirmation: String?
    let disabled: String?

    init?(summary: String?, confirmation: String?, disabled: String?) {
      if summary == nil, confirmation == nil, disabled == nil { return nil }
      (self.summary, self.confirmation, self.disabled) = (summary, confirmation, disabled)
    }

    static func == (one: Extras, other: Extras) -> Bool {
      one === other
        || (one.summary, one.confirmation, one.disabled) == (other.summary, other.confirmation, other.disabled)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(summary)
      hasher.combine(confirmation)
      hasher.combine(disabled)
    }
  }

  /// A sentence that explains the action, for example a choice of a menu; nil for none.
  public var summary: String? {
    get { extras?.summary }
    set { extras = Extras(summary: newValue, confirmation: confirmation, disabled: disabled) }
  }

  /// The question that renderers ask before they send the event; nil for none. See ``confirming(_:)``.
  public var confirmation: String? {
    get { extras?.confirmation }
    set { extras = Extras(summary: summary, confirmation: newValue, disabled: disabled) }
  }

  /// Why the action cannot be chosen now; nil if it can. See ``disabled(because:)``.
  public var disabled: String? {
    get { extras?.disabled }
    set { extras = Extras(summary: summary, confirmation: confirmation, disabled: newValue) }
  }

  /// Returns the same action with a sentence that explains it.
  ///
  /// - Parameter summary: the sentence; nil for none.
  /// - Returns: the action.
  public func explained(_ summary: Text?) -> Action {
    var action = self
    action.summary = summary?.string
    return action
  }

  /// Returns the same action with a question that renderers ask before they send its event.
  ///
  /// ```swift
  /// .destructive(Do.erase, "Erase").confirming("Erase everything on this disk?")
  /// ```
  ///
  /// The question is for users. A client may send the event without asking it.
  ///
  /// - Parameter question: the question, which can be answered with yes or no.
  /// - Returns: the action.
  public func confirming(_ question: Text) -> Action {
    var action = self
    action.confirmation = question.string
    return action
  }

  /// Returns the same action, which is shown but cannot be chosen now. Its event is refused with the reason.
  ///
  /// ```swift
  /// .primary(Do.pay, "Pay").disabled(because: state.basket.isEmpty ? "The basket is empty." : nil)
  /// ```
  ///
  /// - Parameter reason: why it cannot be chosen, for users; nil if it can.
  /// - Returns: the action.
  public func disabled(because reason: Text?) -> Action {
    var action = self
    action.disabled = reason?.string
    return action
  }
}

/// Actions whose ids are the cases of an enum, so that the compiler detects a misspelled event. Read them with
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
  public init(_ id: some RawRepresentable<String>, _ title: Text, role: Role = .normal) {
    self.init(id.rawValue, title, role: role)
  }

  /// Returns an action that is the main purpose of its screen; see ``primary(_:_:)-(String,_)``.
  public static func primary(_ id: some RawRepresentable<String>, _ title: Text) -> Action {
    Action(id, title, role: .primary)
  }

  /// Returns an action that leaves the screen; see ``cancel(_:_:)-(String,_)``.
  public static func cancel(_ id: some RawRepresentable<String>, _ title: Text) -> Action {
    Action(id, title, role: .cancel)
  }

  /// Returns an action that destroys something; see ``destructive(_:_:)-(String,_)``.
  public static func destructive(_ id: some RawRepresentable<String>, _ title: Text) -> Action {
    Action(id, title, role: .destructive)
  }
}
