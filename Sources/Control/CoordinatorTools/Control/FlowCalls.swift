import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// The calls on a flow tree that carry out what a renderer's user has decided.
package struct FlowCalls: Sendable {
  private let daemon: DaemonClient
  private let tree: ObjectPath

  /// The calls on the tree with that root coordinator.
  package init(_ daemon: DaemonClient, tree: ObjectPath) {
    self.daemon = daemon
    self.tree = tree
  }

  /// Tells a coordinator what was done on its screen.
  ///
  /// - Parameters:
  ///   - delegation: What was done, and where.
  ///   - request: Makes the call safe to repeat, if given.
  /// - Returns: The revision of the tree after it.
  /// - Throws: `ClientError` if the daemon refuses, or is not there.
  package func delegate(_ delegation: Delegation, request: String? = nil) async throws(ClientError) -> UInt64 {
    try await daemon.coordinator(delegation.coordinator).delegate(
      screen: delegation.screen, event: delegation.event, payload: delegation.payload,
      options: Options(request: request, seen: delegation.seen))
  }

  /// Goes back from a screen.
  ///
  /// - Parameters:
  ///   - screen: The id of the screen.
  ///   - request: Makes the call safe to repeat, if given.
  /// - Returns: The revision of the tree after it.
  /// - Throws: `ClientError` if the daemon refuses, or is not there.
  package func back(from screen: UInt64, request: String? = nil) async throws(ClientError) -> UInt64 {
    try await router().back(screen: screen, options: Options(request: request))
  }

  /// Keeps what was typed on a screen and not sent yet, so that it is there in every other renderer.
  ///
  /// - Parameters:
  ///   - values: What was typed, by field; it replaces what was kept.
  ///   - screen: The id of the screen.
  /// - Throws: `ClientError` if the daemon refuses, or is not there.
  package func saveDraft(_ values: [String: JSONValue], on screen: UInt64) async throws(ClientError) {
    try await router().saveDraft(screen: screen, values: values)
  }

  private func router() throws(ClientError) -> RouterProxy {
    guard let router = try? Contract.routerPath(of: tree) else { throw .malformedAnswer(tree.string) }
    return daemon.router(router)
  }
}
