import CoordinatorKit
import DBus

/// A screen and its place in a window, as the contract encodes it in a dictionary.
public struct PresentedScreen: Sendable, Hashable, Identifiable {
  /// The screen's id: 1, 2, 3, … in the order in which its flow tree presents screens. Never reused.
  public var id: UInt64
  /// The path of the coordinator to delegate the screen's events to.
  public var coordinator: ObjectPath
  /// The relation of the screen to those below it.
  public var style: ScreenStyle
  /// The layer: 0 for the main stack, 1 and up for modal stacks, each on top of the previous one.
  public var layer: UInt32
  /// Whether the user may go back from the screen when it is on top.
  public var back: Bool
  /// Whether going back from the screen ends the flow.
  public var leaves: Bool
  /// The values that a user has entered but not sent yet, by field: each of the field's type, or in its text form.
  public var draft: [String: JSONValue]
  /// The screen's content.
  public var screen: Screen

  /// Creates a presented screen.
  public init(
    id: UInt64, coordinator: ObjectPath, style: ScreenStyle, layer: UInt32, back: Bool, leaves: Bool = false,
    draft: [String: JSONValue] = [:], screen: Screen
  ) {
    self.id = id
    self.coordinator = coordinator
    self.style = style
    self.layer = layer
    self.back = back
    self.leaves = leaves
    self.draft = draft
    self.screen = screen
  }
}
