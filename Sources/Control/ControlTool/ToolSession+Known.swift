import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

extension ToolSession {
  /// Returns the root of the flow tree that an argument refers to: one that runs, or one that has ended and whose outcome
  /// is known.
  func knownRoot(_ tree: String?) async throws(ToolFailure) -> ObjectPath {
    do {
      return try await root(tree)
    } catch {
      guard error.cause == .alreadyEnded, let tree, let path = try? Contract.flowPath(root: tree) else { throw error }
      return path
    }
  }

  /// The client for what a command does for its user: the history names the way.
  var namedDaemon: DaemonClient {
    var daemon = daemon
    daemon.way = "coordinatorctl"
    return daemon
  }
}
