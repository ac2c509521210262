import CoordinatorBus
import CoordinatorKit
import DBus

/// What a flow tree shows. Who follows it uses a ``WindowMirror``.
public struct RouterProxy: Sendable {
  let daemon: DaemonClient
  /// The Router's object.
  public let path: ObjectPath
  /// Whom to ask.
  let destination: String

  /// Announces a renderer, which is forgotten when this connection closes.
  ///
  /// - Parameters:
  ///   - kind: What kind of renderer it is: "terminal".
  ///   - screenKinds: The kinds of screens that it can show; all that this library knows unless given.
  /// - Returns: What to show.
  /// - Throws: `ClientError`.
  public func attach(kind: String, screenKinds: [Screen.Kind] = Screen.Kind.allCases) async throws(ClientError) -> WindowSnapshot
  {
    let capabilities: [String: Value] = ["kind": .string(kind), "kinds": .strings(screenKinds.map(\.rawValue))]
    let reply = try await call("Attach", [.vardict(capabilities)])
    return try await withReason(WindowSnapshot(revision: try reply.number(0), screens: try reply.vardicts(1)))
  }

  /// Takes back what ``attach(kind:screenKinds:)`` announced.
  ///
  /// - Throws: `ClientError`.
  public func detach() async throws(ClientError) {
    _ = try await call("Detach", [])
  }

  /// Reads what the tree shows, without announcing anything.
  ///
  /// - Returns: What to show.
  /// - Throws: `ClientError`.
  public func snapshot() async throws(ClientError) -> WindowSnapshot {
    let properties = try await daemon.properties(path, Contract.routerInterface, destination: destination)
    return try await withReason(
      WindowSnapshot(
        revision: try properties.read("Revision", \.uint64), screens: try properties.read("Screens", \.vardicts)))
  }

  /// Asks why nothing is shown, if that is so.
  private func withReason(_ snapshot: WindowSnapshot) async throws(ClientError) -> WindowSnapshot {
    guard snapshot.screens.isEmpty, let root = Contract.root(of: path) else { return snapshot }
    var snapshot = snapshot
    snapshot.held = try await daemon.coordinator(root, owner: destination).held()
    return snapshot
  }

  /// Reads what the tree shows, as screens.
  ///
  /// - Returns: The window.
  /// - Throws: `ClientError`.
  public func window() async throws(ClientError) -> MirroredWindow {
    let snapshot = try await snapshot()
    do {
      return MirroredWindow(
        revision: snapshot.revision, screens: try MirroredStack(snapshot).screens, held: snapshot.held)
    } catch {
      throw .malformedAnswer(error.description)
    }
  }

  /// Leaves a screen by going back.
  ///
  /// - Parameters:
  ///   - screen: The top screen of the top layer.
  ///   - options: `request` counts.
  /// - Returns: The tree's revision after it.
  /// - Throws: `ClientError`.
  public func back(screen: UInt64, options: Options = Options()) async throws(ClientError) -> UInt64 {
    try await call("Back", [.uint64(screen), options.value], deadline: DaemonClient.handlerDeadline).number(0)
  }

  /// Keeps what was typed on a screen and not sent yet, so that it is there in every other renderer.
  ///
  /// - Parameters:
  ///   - screen: A screen of the window.
  ///   - values: By field: a value of its type, or the text of one as far as it was typed. It replaces what was kept; empty drops it.
  /// - Throws: `ClientError`; a field that is confidential is `ContractError.invalidPayload`.
  public func saveDraft(screen: UInt64, values: [String: JSONValue]) async throws(ClientError) {
    _ = try await call("SaveDraft", [.uint64(screen), try daemon.value(of: values), .vardict([:])])
  }

  private func call(
    _ member: String, _ arguments: [Value], deadline: Duration = .seconds(25)
  ) async throws(ClientError) -> Reply {
    try await daemon.call(
      path, Contract.routerInterface, member, arguments, destination: destination, deadline: deadline)
  }
}
