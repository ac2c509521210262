import CoordinatorBus
import CoordinatorClient
import DBus

extension DaemonClient {
  /// Reads the state of a flow tree in full, with several calls. No other client should change the tree meanwhile.
  ///
  /// - Parameter root: the path of its root coordinator.
  /// - Returns: the state.
  /// - Throws: `ClientError`.
  package func standing(of root: ObjectPath) async throws -> Standing {
    do {
      let window = try await router(Contract.routerPath(of: root)).snapshot().withoutProvider
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
        throw ClientError.malformedAnswer("\(root) is active, but incomplete")
      }
      return .ended(end)
    } catch let error as ClientError where error.isUnknownObject {
      return .unknown
    }
  }
}

extension WindowSnapshot {
  /// The window without data that the twin does not show: the origin of screens of another program, and the messages of
  /// coordinators that wait for it, which appear and disappear without a transition.
  var withoutProvider: WindowSnapshot {
    var window = self
    window.screens = screens.map { screen in
      var screen = screen
      screen["origin"] = nil
      guard let messages = screen["messages"]?.elements?.compactMap(\.vardict) else { return screen }
      let others = messages.filter { $0["code"]?.string != "held" }
      screen["messages"] = others.isEmpty ? nil : .vardicts(others)
      return screen
    }
    return window
  }
}
