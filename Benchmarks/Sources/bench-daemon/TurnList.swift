import CoordinatorKit

extension FlowCatalogue {
  /// Returns a catalogue whose flow `turn` shows a list.
  ///
  /// - Parameter items: the number of items.
  /// - Returns: the catalogue.
  /// - Throws: `FlowCatalogueError`; never in practice, since there is only one flow.
  static func turn(items: Int) throws(FlowCatalogueError) -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { TurnList(items) }
    return catalogue
  }
}

/// A flow in which each event replaces one list with another.
actor TurnList: Coordinator {
  static let flow = FlowDescription("turn", title: "Turn", summary: "A list.")

  enum Route: Codable { case first, other }

  private let items: [Item]
  let context = Context()

  /// Creates a flow.
  ///
  /// - Parameter count: the number of items.
  init(_ count: Int) {
    items = (0..<max(count, 1)).map { Item("item-\($0)", Text(verbatim: "Item number \($0)")) }
  }

  func start() { router.present(.first) }

  func screen(for route: Route) -> Screen {
    .list(
      route == .first ? "first-list" : "other-list", title: "A list", items: items,
      actions: [.primary("turn", "Turn over"), .cancel("leave", "Leave")])
  }

  func receive(_ event: Event, on route: Route) throws {
    guard event.name == "turn" else { return cancel() }
    router.replace(with: route == .first ? .other : .first)
  }
}
