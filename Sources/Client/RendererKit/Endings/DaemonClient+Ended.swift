import CoordinatorClient
import DBus

extension DaemonClient {
  /// Returns what is known of the flow of a tree that has ended, for an ``EndSummary``.
  ///
  /// - Parameter tree: path of the root coordinator.
  /// - Returns: the flow; nil if it cannot be read, or nobody knows it any more.
  package func flow(ofEnded tree: ObjectPath) async -> FlowListing? {
    guard let name = (try? await manager.flow(ofEnded: tree)) ?? nil else { return nil }
    return await flow(named: name)
  }

  /// Returns what is known of a flow.
  ///
  /// - Parameter name: name of the flow.
  /// - Returns: the flow; nil if it cannot be read, or there is none of this name.
  package func flow(named name: String) async -> FlowListing? {
    (try? await manager.listFlows())?.first { $0.name == name }
  }
}
