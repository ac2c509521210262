import CoordinatorKit

/// The routes of each flow that were on top.
struct RouteCoverage {
  private var seen: [String: Set<AnyHashable>] = [:]

  /// Records the flows that run in a state, and the route that is on top.
  mutating func note(_ state: TreeState) {
    for record in state.coordinators.values where seen[record.flow] == nil { seen[record.flow] = [] }
    guard let top = state.window.top, let record = state.coordinators[top.coordinator] else { return }
    seen[record.flow]?.insert(AnyHashable(top.route))
  }

  /// Reports the routes that were never on top, where routes can be listed: those of the explored flow, and those of
  /// other flows that take no input. What a flow with input shows depends on the input.
  func report(to walk: inout FlowWalk, of explorer: FlowExplorer) {
    for (flow, seen) in seen.sorted(by: { $0.key < $1.key }) {
      let takesInput = explorer.catalogue.description(of: flow)?.input.fields.isEmpty == false
      guard flow == explorer.flow || !takesInput else { continue }
      for route in explorer.catalogue.routes(of: flow) ?? [] where !seen.contains(AnyHashable(route)) {
        walk.note(.routeIsUnreachable(flow: flow, route: String(describing: route)))
      }
    }
  }
}
