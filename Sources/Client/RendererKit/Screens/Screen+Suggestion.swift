import CoordinatorKit
import Platform

/// The choices that a renderer shows when a screen appears. The user still makes the choice.
///
/// A suggestion takes precedence over the flow's initial choice. Ids that the screen does not offer are ignored.
extension Screen {
  /// The ids of the items that are initially chosen on a list. Some of them may not exist, or cannot be chosen now.
  public var itemsChosenAtFirst: [String] {
    let initial = choosing?.initial ?? []
    guard let suggested, let items else { return initial }
    guard !suggested.isEmpty else { return [] }
    let wanted = Set(suggested.map(\.bytes))
    let known = items.lazy.filter { wanted.contains($0.id.bytes) }.map(\.id)
    return known.isEmpty ? initial : Array(known)
  }

  /// The item that is initially chosen on a list for one item; nil if there is none, or if it cannot be chosen now.
  public var preselectedItem: Item? {
    guard let items, choosing?.count == nil else { return nil }
    let wanted = (suggested ?? []) + (choosing?.initial.prefix(1) ?? [])
    guard !wanted.isEmpty else { return nil }
    return wanted.lazy.compactMap { id in items.first { $0.id.bytes.equals(id) && $0.disabled == nil } }.first
  }

  /// The action that the screen suggests; nil if there is none, if it cannot be chosen now, or if an item has its id.
  ///
  /// Never a destructive one, which an accidental key press must not trigger.
  public var suggestedAction: Action? {
    guard let suggested, !suggested.isEmpty, progress == nil else { return nil }
    guard kind == .menu || kind == .message || kind == .list else { return nil }
    let wanted = Set(suggested.map(\.bytes))
    guard items?.contains(where: { wanted.contains($0.id.bytes) }) != true else { return nil }
    return actions.first { wanted.contains($0.id.bytes) && $0.disabled == nil && $0.role != .destructive }
  }

  /// The ids of items or of an action that the screen suggests, offers, and allows to be chosen now.
  public var offeredSuggestions: [String] {
    guard let suggested, !suggested.isEmpty else { return [] }
    let items = (items ?? []).filter { $0.disabled == nil }.map(\.id.bytes)
    let offered = Set(items + actions.filter { $0.disabled == nil }.map(\.id.bytes))
    return suggested.filter { offered.contains($0.bytes) }
  }
}
