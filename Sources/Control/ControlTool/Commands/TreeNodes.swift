import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Reads the active flow trees.
struct TreeNodes {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Reads all active flow trees, oldest first.
  func all() async throws(ToolFailure) -> [TreeNode] {
    try await session.doing { () async throws(ClientError) in
      var nodes: [TreeNode] = []
      for flow in try await session.daemon.manager.listActive().sorted(by: { $0.startedAt < $1.startedAt }) {
        guard let window = try await present({ () async throws(ClientError) in try await session.window(of: flow.coordinator) })
        else { continue }
        guard var node = try await node(flow.coordinator, in: window) else { continue }
        node.token = flow.token
        node.participants = try await present { () async throws(ClientError) in
          try await session.participants(of: flow.coordinator)
        }
        nodes.append(node)
      }
      return nodes
    }
  }

  /// Reads a coordinator and its descendants; nil if the coordinator has ended in the meantime.
  private func node(_ path: ObjectPath, in window: MirroredWindow) async throws(ClientError) -> TreeNode? {
    let coordinator = session.daemon.coordinator(path)
    guard let details = try await present({ () async throws(ClientError) in try await coordinator.details() }) else {
      return nil
    }
    var children: [TreeNode] = []
    for child in details.children {
      if let node = try await node(child, in: window) { children.append(node) }
    }
    let screens = details.screens.map { id in
      let screen = window.screens.first { $0.id == id }
      return TreeNode.Screen(id: id, name: screen?.screen.name ?? "", isTop: window.top?.id == id)
    }
    return TreeNode(
      path: path, flow: details.flow, token: nil, startedAt: details.startedAt, held: details.held, screens: screens,
      children: children)
  }

  /// Returns the result of a call on an object, or nil if the object no longer exists.
  private func present<Result: Sendable>(
    _ call: () async throws(ClientError) -> Result
  ) async throws(ClientError) -> Result? {
    do {
      return try await call()
    } catch {
      guard error.isUnknownObject else { throw error }
      return nil
    }
  }
}
