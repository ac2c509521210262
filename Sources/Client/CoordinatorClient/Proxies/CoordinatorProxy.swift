import CoordinatorBus
import CoordinatorKit
import DBus

/// A proxy for a running coordinator.
public struct CoordinatorProxy: Sendable {
  let daemon: DaemonClient
  /// The path of the coordinator's object.
  public let path: ObjectPath
  /// The bus name that calls are sent to.
  let destination: String

  /// The properties of a coordinator, read at one moment.
  public struct Details: Sendable, Hashable {
    /// The name of the flow.
    public var flow: String
    /// The path of the parent; `/` for a root coordinator.
    public var parent: ObjectPath
    /// The paths of the children, in the order in which they were started.
    public var children: [ObjectPath]
    /// The path of the tree's Router.
    public var router: ObjectPath
    /// The ids of the coordinator's own screens, bottom first.
    public var screens: [UInt64]
    /// The start time, in microseconds since 1970.
    public var startedAt: UInt64
    /// The reason why the coordinator is held and receives no events, or nil if it is not held.
    public var held: String?
  }

  /// Delegates an event to the coordinator.
  ///
  /// - Parameters:
  ///   - screen: id of the screen that the event comes from; 0 if it comes from no screen.
  ///   - event: name of the event.
  ///   - payload: payload of the event.
  ///   - options: options of the call; `request` and `seen` apply.
  /// - Returns: the revision of the tree after the event.
  /// - Throws: ``ClientError``.
  public func delegate(
    screen: UInt64, event: String, payload: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> UInt64 {
    let arguments: [Value] = [.uint64(screen), .string(event), try daemon.value(of: payload), options.value]
    return try await call("Delegate", arguments).number(0)
  }

  /// Ends the coordinator and its children.
  ///
  /// - Parameters:
  ///   - animated: whether renderers are asked to animate the dismissal.
  ///   - options: options of the call; `request` applies.
  /// - Returns: the revision of the tree after the dismissal.
  /// - Throws: ``ClientError``.
  public func dismiss(animated: Bool = true, options: Options = Options()) async throws(ClientError) -> UInt64 {
    try await call("Dismiss", [.boolean(animated), options.value]).number(0)
  }

  /// Starts a flow as a child of the coordinator.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - input: input of the flow.
  ///   - options: options of the call; `request` and `style` apply.
  /// - Returns: the path of the child.
  /// - Throws: ``ClientError``.
  public func startChild(
    _ flow: String, input: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> ObjectPath {
    try await call("StartChild", [.string(flow), try daemon.value(of: input), options.value]).path(0)
  }

  /// Reads the coordinator's properties.
  ///
  /// - Returns: the properties.
  /// - Throws: ``ClientError``, for which ``ClientError/isUnknownObject`` is true if the coordinator has ended.
  public func details() async throws(ClientError) -> Details {
    let properties = try await daemon.properties(path, Contract.coordinatorInterface, destination: destination)
    return Details(
      flow: try properties.read("Flow", \.string),
      parent: try properties.read("Parent", \.objectPath),
      children: try properties.read("Children") { $0.elements?.compactMap(\.objectPath) },
      router: try properties.read("Router", \.objectPath),
      screens: try properties.read("Screens") { $0.elements?.compactMap(\.uint64) },
      startedAt: try properties.read("StartedAt", \.uint64), held: Self.reason(properties.values["Held"]))
  }

  /// Reads whether the coordinator is held.
  ///
  /// - Returns: the reason why the coordinator receives no events, or nil if it is not held.
  /// - Throws: ``ClientError``, for which ``ClientError/isUnknownObject`` is true if the coordinator has ended.
  public func held() async throws(ClientError) -> String? {
    do {
      return Self.reason(try await daemon.property("Held", path, Contract.coordinatorInterface, destination: destination))
    } catch .failed(let error) where error.isStandard("UnknownProperty") {
      // An older daemon without this property never holds a tree.
      return nil
    }
  }

  private static func reason(_ held: Value?) -> String? { held?.string.flatMap { $0.isEmpty ? nil : $0 } }

  private func call(_ member: String, _ arguments: [Value]) async throws(ClientError) -> Reply {
    try await daemon.call(
      path, Contract.coordinatorInterface, member, arguments, destination: destination, deadline: DaemonClient.handlerDeadline)
  }
}
