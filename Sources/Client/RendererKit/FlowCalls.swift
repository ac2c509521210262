import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// The calls on a flow tree that carry out a user's decisions.
package struct FlowCalls: Sendable {
  private let daemon: DaemonClient
  private let tree: ObjectPath

  /// Creates the calls for the tree with the given root coordinator.
  package init(_ daemon: DaemonClient, tree: ObjectPath) {
    self.daemon = daemon
    self.tree = tree
  }

  /// Delegates a user's event on a screen to the screen's coordinator.
  ///
  /// - Parameters:
  ///   - delegation: event, its payload and its screen.
  ///   - request: request key, which makes the call safe to repeat; nil for none.
  /// - Returns: the revision of the tree after the event.
  /// - Throws: `ClientError` if the daemon refuses or cannot be reached.
  package func delegate(_ delegation: Delegation, request: String? = nil) async throws(ClientError) -> UInt64 {
    try await daemon.coordinator(delegation.coordinator).delegate(
      screen: delegation.screen, event: delegation.event, payload: delegation.payload,
      options: Options(request: request, seen: delegation.seen))
  }

  /// Goes back from a screen.
  ///
  /// - Parameters:
  ///   - screen: id of the screen.
  ///   - request: request key, which makes the call safe to repeat; nil for none.
  /// - Returns: the revision of the tree after going back.
  /// - Throws: `ClientError` if the daemon refuses or cannot be reached.
  package func back(from screen: UInt64, request: String? = nil) async throws(ClientError) -> UInt64 {
    try await router().back(screen: screen, options: Options(request: request))
  }

  /// Saves the unsent input of a screen, which makes it available in every other renderer.
  ///
  /// - Parameters:
  ///   - values: draft by field; replaces the previous draft.
  ///   - screen: id of the screen.
  /// - Throws: `ClientError` if the daemon refuses or cannot be reached.
  package func saveDraft(_ values: [String: JSONValue], on screen: UInt64) async throws(ClientError) {
    try await router().saveDraft(screen: screen, values: values)
  }

  /// Counts the other renderers that are attached to the flow tree.
  ///
  /// - Returns: the number; nil if it cannot be read.
  package func otherRenderers() async -> Int? {
    let own = daemon.connection.uniqueName
    do throws(ClientError) {
      return try await router().attachedClients().count { $0 != own }
    } catch {
      return nil
    }
  }

  private func router() throws(ClientError) -> RouterProxy {
    guard let router = try? Contract.routerPath(of: tree) else { throw .malformedAnswer(tree.string) }
    return daemon.router(router)
  }
}

/// An event on a screen, ready to be delegated.
public struct Delegation: Sendable, Hashable {
  /// The path of the coordinator that owns the screen.
  public var coordinator: ObjectPath
  /// The id of the screen.
  public var screen: UInt64
  /// The name of the event.
  public var event: String
  /// The payload of the event.
  public var payload: [String: JSONValue]
  /// The revision that the user was looking at.
  public var seen: UInt64

  /// Creates a delegation with the given values.
  public init(
    coordinator: ObjectPath, screen: UInt64, event: String, payload: [String: JSONValue] = [:], seen: UInt64
  ) {
    self.coordinator = coordinator
    self.screen = screen
    self.event = event
    self.payload = payload
    self.seen = seen
  }
}
