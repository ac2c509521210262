import CoordinatorKit

/// Which routes of which flows were on top.
struct RouteCoverage {
  private var seen: [String: Set<AnyHashable>] = [:]

  /// Notes the flows that run in a state, and the route that is on top.
  mutating func note(_ state: TreeState) {
    for record in state.coordinators.values where seen[record.flow] == nil { seen[record.flow] = [] }
    guard let top = state.window.top, let record = state.coordinators[top.coordinator] else { return }
    seen[record.flow]?.insert(AnyHashable(top.route))
  }

  /// Says which routes were not on top, where they can be listed: of the flow that was explored, and of those among the others that
  /// take no input. What others show depends on what they are started with.
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
