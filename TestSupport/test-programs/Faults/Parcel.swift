import CoordinatorKit

/// A child of a depot, which can also be started alone.
actor Parcel: Coordinator {
  static let flow = FlowDescription("parcel", title: "Parcel", summary: "Packs a parcel.")

  enum Route: Codable { case packing }
  struct State: FlowState { var goods = 0 }
  struct Result: Codable { var goods: Int }

  let context = Context()

  func start() { router.present(.packing) }

  func screen(for route: Route) -> Screen {
    .menu(
      "packing", title: "Parcel", body: Text(verbatim: "\(state.goods) goods"),
      choices: [Action("pack", "Pack"), Action("weigh", "Weigh"), Action("send", "Send")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "pack": state.goods += 1
    case "send": try finish(Result(goods: state.goods))
    default: throw event.notTaken
    }
  }
}
