import CoordinatorKit
import Platform

/// A user's choice on a list on which several items may be chosen.
public struct SeveralChoice: Sendable, Hashable {
  /// The number of items that the user chooses.
  public let count: ClosedRange<Int>
  /// The ids of the chosen items.
  private var chosen: Set<TextBytes>

  /// Creates the choice that a screen suggests; nil if the screen is not a list on which several items are chosen.
  ///
  /// - Parameter screen: screen that is shown.
  public init?(_ screen: Screen) {
    guard let items = screen.items, let count = screen.choosing?.count else { return nil }
    self.count = count
    chosen = Set(screen.itemsChosenAtFirst.map(\.bytes))
    update(to: items)
  }

  /// Returns whether an item is chosen.
  public func contains(_ id: String) -> Bool { chosen.contains(id.bytes) }

  /// The number of chosen items.
  public var chosenCount: Int { chosen.count }

  /// Chooses an item, or removes it from the choice. A disabled item cannot be chosen.
  public mutating func toggle(_ item: Item) {
    if chosen.remove(item.id.bytes) == nil, item.disabled == nil { chosen.insert(item.id.bytes) }
  }

  /// Chooses some items and no others. Disabled items cannot be chosen.
  public mutating func replace(with items: [Item]) {
    chosen = Set(items.lazy.filter { $0.disabled == nil }.map(\.id.bytes))
  }

  /// Removes items that can no longer be chosen after the list has changed.
  public mutating func update(to items: [Item]) {
    guard !chosen.isEmpty else { return }
    chosen.formIntersection(items.lazy.filter { $0.disabled == nil }.map(\.id.bytes))
  }

  /// Returns the payload of the event `select`, in the order of the list; nil if too few or too many items are chosen.
  public func payload(of items: [Item]) -> [String: JSONValue]? {
    guard count.contains(chosen.count) else { return nil }
    return ["ids": .array(items.lazy.filter { chosen.contains($0.id.bytes) }.map { .string($0.id) })]
  }

  /// The request to the user: "Choose 1 to 3".
  public var request: String {
    switch (count.lowerBound, count.upperBound) {
    case let (least, most) where least == most: Text("Choose {count}", ["count": most]).string
    case (0, .max): Text("Choose any number").string
    case (0, let most): Text("Choose up to {count}", ["count": most]).string
    case (let least, .max): Text("Choose at least {count}", ["count": least]).string
    case let (least, most): Text("Choose {least} to {most}", ["least": least, "most": most]).string
    }
  }

  /// The request to the user, and its progress: "Choose 1 to 3: 2 chosen".
  public var status: String {
    Text(one: "{request}: {count} chosen", other: "{request}: {count} chosen", count: chosen.count, ["request": request]).string
  }

  /// The reason why the choice cannot be sent; nil if it can.
  public var reason: String? {
    guard !count.contains(chosen.count) else { return nil }
    return Text(
      one: "{request}: {count} chosen.", other: "{request}: {count} chosen.", count: chosen.count, ["request": request]
    ).string
  }
}
