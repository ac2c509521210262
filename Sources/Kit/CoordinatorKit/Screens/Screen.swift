/// What a renderer shows: pure data, computed from a coordinator's state for one of its routes.
///
/// A screen knows no other screen, and not where it will be shown.
public struct Screen: Sendable, Hashable {
  /// How a screen is to be drawn.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Asks to choose one of a few actions.
    case menu
    /// Asks to fill in fields.
    case form
    /// Shows rows to choose from.
    case list
    /// Tells something.
    case message
    /// Shows how far something has come.
    case progress
  }

  /// What it is, for renderers that draw some screens their own way: `select-visit-type`. Stable.
  public var name: String
  /// How it is to be drawn.
  public var kind: Kind
  /// The heading.
  public var title: String
  /// The text below the heading; may be empty.
  public var body: String
  /// What its user can do, in order. Of a menu, the choices are its actions.
  public var actions: [Action]
  /// Of a list: what to choose from, in order.
  public var items: [Item]?
  /// Of a form: what the payload of its primary action must look like.
  public var form: Form?
  /// Of a form: what to fill in, by field. Values of secret fields are dropped before a screen is shown.
  public var values: [String: JSONValue]
  /// What the screen tells its user besides.
  public var messages: [ScreenMessage]
  /// How far the work on it has come; a screen that has it is busy.
  public var progress: Progress?
  /// A colour, `#RRGGBB`.
  public var accent: String?

  /// A screen with every part given; see the properties of the same names. The functions named after the kinds are shorter.
  public init(
    _ name: String, kind: Kind, title: String, body: String = "", actions: [Action] = [], items: [Item]? = nil,
    form: Form? = nil, values: [String: JSONValue] = [:], messages: [ScreenMessage] = [], progress: Progress? = nil,
    accent: String? = nil
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
  }
}
