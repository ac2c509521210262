import RendererKit
import CoordinatorKit

/// A numbered choice of a screen.
public enum ScreenChoice: Sendable, Hashable {
  /// An item of a list.
  case item(Item)
  /// An action of the screen.
  case action(Action)
  /// The change of an answer under review.
  case change(ReviewRow)

  /// Returns all choices of a screen in the order of their numbers: the items of a list, then the actions, then the
  /// answers that can be changed.
  public static func all(of screen: Screen) -> [ScreenChoice] {
    (screen.items ?? []).map(ScreenChoice.item) + screen.actions.map(ScreenChoice.action)
      + screen.changeableRows.map { .change(screen.review[$0]) }
  }

  /// The id of the item or the action; of a change, its event and payload as `coordinatorctl send` takes them.
  public var id: String {
    switch self {
    case .item(let item): item.id
    case .action(let action): action.id
    case .change(let row): "\(ReviewRow.change) id=\(row.screen?.number ?? 0)"
    }
  }

  /// Whether the choice is an item of a list.
  var isItem: Bool { if case .item = self { true } else { false } }

  /// Whether the choice can be made now.
  var isOffered: Bool {
    switch self {
    case .item(let item): item.disabled == nil
    case .action(let action): action.disabled == nil
    case .change: true
    }
  }

  /// The heading of the group that an item belongs to; nil for none.
  var group: String? { if case .item(let item) = self { item.group } else { nil } }

  /// The title of the choice, for users.
  public var title: String {
    switch self {
    case .item(let item): item.title
    case .action(let action): action.readableTitle
    case .change(let row): Text("Change {answer}", ["answer": row.title]).string
    }
  }

  /// The title without what explains the choice, or why it cannot be made.
  var name: String { if case .action(let action) = self { action.title } else { title } }

  /// The subtitle of an item; nil for any other choice.
  public var subtitle: String? {
    switch self {
    case .item(let item): item.readableSubtitle
    case .action, .change: nil
    }
  }
}
