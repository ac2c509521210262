import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// Tells the flows of coordinators from their paths, without asking: also of those that have ended.
struct FlowNames: Sendable, Hashable {
  private let root: String
  /// The flows by what they are called in a path.
  private let flows: [String: String]

  /// - Parameters:
  ///   - root: The flow of the root coordinator; its path may be a token.
  ///   - flows: The names of all flows.
  init(root: String, flows: [String]) {
    self.root = root
    self.flows = Dictionary(flows.map { (FlowDescription($0, title: "").element, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The flows of the coordinators from the root down to the given one.
  func path(to coordinator: ObjectPath) -> [String] {
    [root] + coordinator.elements.dropFirst(Contract.flowsPath.elements.count + 1).map(flow)
  }

  /// The flow of a child, by the last element of its path: `schedule_visit_1`.
  private func flow(_ element: Substring) -> String {
    let name = element.lastIndex(of: "_").map { element[..<$0] } ?? element
    return flows[String(name)] ?? String(name.map { $0 == "_" ? "-" : $0 })
  }
}
