/// What a renderer shows: pure data, computed from a coordinator's state for one of its routes.
///
/// A screen does not refer to other screens, and does not know where it is shown. To create one, use the functions
/// named after the kinds:
///
/// ```swift
/// .menu("size", title: "How large?", choices: Size.allCases)
/// ```
public struct Screen: Sendable, Hashable {
  /// How a screen is to be drawn.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Asks the user to choose one of a few actions.
    case menu
    /// Asks the user to fill in fields.
    case form
    /// Shows rows to choose from.
    case list
    /// Informs the user.
    case message
    /// Shows progress.
    case progress
  }

  /// The stable name of the screen, such as `select-visit-type`, for renderers that draw some screens specially.
  public var name: String
  /// How the screen is to be drawn.
  public var kind: Kind
  /// The heading.
  public var title: String
  /// The text below the heading; may be empty.
  public var body: String
  /// The actions that the user can choose, in order. On a menu, these are the choices.
  public var actions: [Action]
  /// The rows of a list, in order.
  public var items: [Item]?
  /// The fields of a form, which define the payload of its primary action.
  public var form: Form?
  /// The initial values of a form, by field. Values of secret fields are dropped before a screen is shown.
  public var values: [String: JSONValue]
  /// Further messages to the user.
  public var messages: [ScreenMessage]
  /// The progress of the work on the screen; a screen with progress is busy.
  public var progress: Progress?
  /// The accent color, `#RRGGBB`.
  public var accent: String?
  /// When something happens by itself, by the wall clock; renderers count down to it. See ``countingDown(to:)`` and
  /// ``elapses``.
  public var until: Timestamp?
  /// What only some screens have; nil for none of it. In memory of its own, because most screens have none.
  var extras: ScreenExtras?

  /// Creates a screen from all of its parts; see the properties of the same names. The functions named after the kinds
  /// are more convenient.
  public init(
    _ name: String, kind: Kind, title: String, body: String = "", actions: [Action] = [], items: [Item]? = nil,
    form: Form? = nil, values: [String: JSONValue] = [:], messages: [ScreenMessage] = [], progress: Progress? = nil,
    accent: String? = nil, until: Timestamp? = nil
  ) {
    self.name = name
    self.kind = kind
    self.title = title
    self.body = body
    self.actions = actions
    self.items = items
    self.form = form
    self.values = values
    self.messages = messages
    self.progress = progress
    self.accent = accent
    self.until = until
  }
}
