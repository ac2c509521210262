/// What a renderer shows: pure data, computed from a coordinator's state for one of its routes.
///
/// A screen knows no other screen, and not where it will be shown.
public struct Screen: Sendable, Hashable {
  /// How a screen is to be drawn.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case menu, form, list, message, progress
  }

  /// What it is, for renderers that draw some screens their own way: `select-visit-type`. Stable.
  public var name: String
  public var kind: Kind
  public var title: String
  public var body: String
  /// What its user can do, in order. Of a menu, the choices are its actions.
  public var actions: [Action]
  /// Of a list: what to choose from, in order.
  public var items: [Item]?
  /// Of a form: what the payload of its primary action must look like.
  public var form: Form?
  /// Of a form: what to fill in, by field. Never the value of a secret field.
  public var values: [String: JSONValue]
  public var messages: [ScreenMessage]
  public var progress: Progress?
  /// A colour, `#RRGGBB`.
  public var accent: String?
}

/// Something that the user of a screen can do; its `id` is the event to delegate.
public struct Action: Sendable, Hashable {
  /// What an action means to its user, so that a renderer can draw it accordingly.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    case primary, normal, cancel, destructive
  }
  public var id: String
  public var title: String
  public var role: Role
}

/// One row of a list, chosen by the event `select` with the payload `{id}`.
public struct Item: Sendable, Hashable {
  public var id: String
  public var title: String
  public var subtitle: String?
}

/// Something that a screen tells its user, about itself or about one field.
public struct ScreenMessage: Sendable, Hashable {
  /// How serious a message is.
  public enum Level: String, Sendable, Hashable, Codable, CaseIterable { case error, warning, info }
  public var level: Level
  /// Stable, for scripts and translators: `invalid-credentials`.
  public var code: String
  public var text: String
  public var field: String?
}

/// How far the work on a screen has come.
public struct Progress: Sendable, Hashable {
  /// 0 to 1; nil if it is not known.
  public var fraction: Double?
  public var text: String?
}
