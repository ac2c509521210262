import CoordinatorKit

/// A flow that every version of the daemon can restore.
actor Cabinet: Coordinator {
  static let flow = FlowDescription("cabinet", title: "Cabinet", summary: "Has drawers.")

  enum Route: Codable, Hashable { case drawer(Int) }
  struct State: FlowState { var papers = 0 }
  struct Result: Codable { var papers: Int }

  let context = Context()

  func start() { router.present(.drawer(1)) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .drawer(let number):
      .menu(
        "drawer", title: Text(verbatim: "Drawer \(number)"),
        body: Text(verbatim: String(repeating: "Paper. ", count: state.papers)),
        choices: [Action("file", "File a paper"), Action("next", "Next drawer"), Action("shut", "Shut")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    guard case .drawer(let number) = route else { return }
    switch event.name {
    case "file": state.papers += 1
    case "next": router.present(.drawer(number + 1))
    case "shut": try finish(Result(papers: state.papers))
    default: throw event.notTaken
    }
  }
}
