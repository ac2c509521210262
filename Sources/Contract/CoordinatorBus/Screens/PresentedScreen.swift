import CoordinatorKit
import DBus

/// A screen in its place in a window, as the contract puts it into a dictionary.
public struct PresentedScreen: Sendable, Hashable, Identifiable {
  /// How a screen stands to those below it.
  public typealias Style = ScreenStyle

  /// 1, 2, 3 ... in the order of presenting in its flow tree; never used twice.
  public var id: UInt64
  /// Whom to delegate its events to.
  public var coordinator: ObjectPath
  /// How it stands to those below it.
  public var style: Style
  /// 0 for the main stack, 1 and up for modal stacks, each on top of the one before.
  public var layer: UInt32
  /// Whether its user may go back from it when it is on top.
  public var back: Bool
  /// What was typed in some renderer and not sent yet, by field: a value of the field's type, or the text of one.
  public var draft: [String: JSONValue]
  /// What it shows.
  public var screen: Screen

  /// A screen in its place.
  public init(
    id: UInt64, coordinator: ObjectPath, style: Style, layer: UInt32, back: Bool, draft: [String: JSONValue] = [:],
    screen: Screen
  ) {
    self.id = id
    self.coordinator = coordinator
    self.style = style
    self.layer = layer
    self.back = back
    self.draft = draft
    self.screen = screen
  }
}
