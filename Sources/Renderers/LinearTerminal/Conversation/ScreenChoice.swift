import RendererKit
import CoordinatorKit

/// A numbered choice of a screen.
public enum ScreenChoice: Sendable, Hashable {
  /// An item of a list.
  case item(Item)
  /// An action of the screen.
  case action(Action)

  /// Returns all choices of a screen in the order of their numbers: the items of a list, then the actions.
  public static func all(of screen: Screen) -> [ScreenChoice] {
    (screen.items ?? []).map(ScreenChoice.item) + screen.actions.map(ScreenChoice.action)
  }

  /// The id of the item or the action.
  public var id: String {
    switch self {
    case .item(let item): item.id
    case .action(let action): action.id
    }
  }

  /// The title of the choice, for users.
  public var title: String {
    switch self {
    case .item(let item): item.title
    case .action(let action): action.readableTitle
    }
  }

  /// The subtitle of an item; nil for an action.
  public var subtitle: String? {
    switch self {
    case .item(let item): item.readableSubtitle
    case .action: nil
    }
  }
}
