import CoordinatorClient
import DBus

extension DaemonClient {
  /// Returns the listing of the flow of a tree that has ended, for an ``EndSummary``.
  ///
  /// - Parameter tree: path of the root coordinator.
  /// - Returns: the flow; nil if it cannot be read, or the daemon no longer knows it.
  package func flow(ofEnded tree: ObjectPath) async -> FlowListing? {
    guard let name = (try? await manager.flow(ofEnded: tree)) ?? nil else { return nil }
    return await flow(named: name)
  }

  /// Returns the listing of a flow.
  ///
  /// - Parameter name: name of the flow.
  /// - Returns: the flow; nil if it cannot be read, or does not exist.
  package func flow(named name: String) async -> FlowListing? {
    (try? await manager.listFlows())?.first { $0.name == name }
  }
}
