import CoordinatorKit

/// A flow with a list of a given length.
actor LongList: Coordinator {
  static let flow = FlowDescription(
    "long-list", title: "Long list", summary: "Shows a list of any length.",
    input: Form(Field("count", .integer(title: "How many items"))))

  enum Route: Codable { case list }
  struct State: FlowState {
    var added = 0
    var chosen: String?
    var marked: String?
  }
  struct Input: Codable { var count: Int }

  let context = Context()

  func start() { router.present(.list) }

  func screen(for route: Route) -> Screen {
    let items = (0..<input.count + state.added).map { number in
      let id = "item-\(number)"
      return Item(id, Text(verbatim: "Item \(number)"), subtitle: state.marked == id ? "marked" : nil)
    }
    return .list(
      "list", title: "Long list", body: Text(verbatim: state.chosen ?? ""), items: items,
      actions: [Action("add", "Add an item"), Action("mark", "Mark what was chosen")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "add": state.added += 1
    case "mark": state.marked = state.chosen
    default: state.chosen = try event.selection
    }
  }
}
