import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform

/// Derives the flow names of coordinators from their paths. Needs no call, so it also works for coordinators that have
/// ended.
package struct FlowNames: Sendable, Hashable {
  private let root: String
  /// The flow names, by their form in a path.
  private let flows: [String: String]

  /// Creates the names for one flow tree.
  ///
  /// - Parameters:
  ///   - root: flow of the root coordinator, whose path may consist of a token instead.
  ///   - flows: names of all flows.
  package init(root: String, flows: [String]) {
    self.root = root
    self.flows = Dictionary(flows.map { (FlowDescription($0, title: "").element, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the flow names of the coordinators from the root to the given one.
  func path(to coordinator: ObjectPath) -> [String] {
    [root] + coordinator.elements.dropFirst(Contract.flowsPath.elements.count + 1).map(flow)
  }

  /// Returns the flow name of a child, given the last element of its path, such as `schedule_visit_1`.
  private func flow(_ element: Substring) -> String {
    let name = element.bytes.cutLast(at: "_")?.before ?? element
    return flows[String(name)] ?? name.bytes.replacing("_", with: "-")
  }
}
