import CoordinatorKit

/// One of the things that the user of a screen can choose by its number.
public enum ScreenChoice: Sendable, Hashable {
  /// A row of a list.
  case item(Item)
  /// An action.
  case action(Action)

  /// All choices of a screen in the order of their numbers: the items of a list, then the actions.
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

  /// What its user reads.
  public var title: String {
    switch self {
    case .item(let item): item.title
    case .action(let action): action.title
    }
  }

  /// A second, quieter text of an item.
  public var subtitle: String? {
    switch self {
    case .item(let item): item.subtitle
    case .action: nil
    }
  }
}
