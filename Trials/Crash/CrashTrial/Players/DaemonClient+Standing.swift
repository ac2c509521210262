import CoordinatorBus
import CoordinatorClient
import DBus

extension DaemonClient {
  /// Reads how a flow tree stands, by all that the daemon says of it. Meant for a tree that nobody else changes meanwhile.
  ///
  /// - Parameter root: The path of its root coordinator.
  /// - Returns: What was read.
  /// - Throws: `ClientError`.
  package func standing(of root: ObjectPath) async throws -> Standing {
    do {
      let window = try await router(Contract.routerPath(of: root)).snapshot()
      return .live(TreeView(window: window, nodes: try await nodes(below: root)))
    } catch let error as ClientError where error.isUnknownObject {
      return try await end(of: root)
    }
  }

  private func nodes(below root: ObjectPath) async throws -> [ObjectPath: TreeView.Node] {
    var nodes: [ObjectPath: TreeView.Node] = [:]
    var waiting = [root]
    while let path = waiting.popLast() {
      let details = try await coordinator(path).details()
      nodes[path] = TreeView.Node(flow: details.flow, children: details.children, screens: details.screens)
      waiting += details.children
    }
    return nodes
  }

  private func end(of root: ObjectPath) async throws -> Standing {
    do {
      guard let end = try await manager.outcome(of: root) else {
        throw ClientError.malformedAnswer("\(root) is active, but not all of it is there")
      }
      return .ended(end)
    } catch let error as ClientError where error.isUnknownObject {
      return .unknown
    }
  }
}
