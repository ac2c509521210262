import CoordinatorBus
import CoordinatorKit
import DBus

/// One running coordinator.
public struct CoordinatorProxy: Sendable {
  let daemon: DaemonClient
  /// Its object.
  public let path: ObjectPath
  /// Whom to ask.
  let destination: String

  /// What the coordinator's properties say, read at one moment.
  public struct Details: Sendable, Hashable {
    /// The flow's name.
    public var flow: String
    /// Its parent; `/` of a root coordinator.
    public var parent: ObjectPath
    /// Its children, in the order in which they were started.
    public var children: [ObjectPath]
    /// What its tree shows.
    public var router: ObjectPath
    /// The ids of its own screens, bottom first.
    public var screens: [UInt64]
    /// When it started, in microseconds since 1970.
    public var startedAt: UInt64
    /// Why no event reaches it; nil if events do.
    public var held: String?
  }

  /// Delegates an event.
  ///
  /// - Parameters:
  ///   - screen: The screen that it comes from; 0 for an event from no screen.
  ///   - event: Its name.
  ///   - payload: What goes with it.
  ///   - options: `request` and `seen` count.
  /// - Returns: The tree's revision after it.
  /// - Throws: `ClientError`.
  public func delegate(
    screen: UInt64, event: String, payload: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> UInt64 {
    let arguments: [Value] = [.uint64(screen), .string(event), try daemon.value(of: payload), options.value]
    return try await call("Delegate", arguments).number(0)
  }

  /// Ends the coordinator and its children.
  ///
  /// - Parameters:
  ///   - animated: What renderers are told about it.
  ///   - options: `request` counts.
  /// - Returns: The tree's revision after it.
  /// - Throws: `ClientError`.
  public func dismiss(animated: Bool = true, options: Options = Options()) async throws(ClientError) -> UInt64 {
    try await call("Dismiss", [.boolean(animated), options.value]).number(0)
  }

  /// Starts a flow as a child.
  ///
  /// - Parameters:
  ///   - flow: The flow's name.
  ///   - input: What it is given.
  ///   - options: `request` and `style` count.
  /// - Returns: The path of the child.
  /// - Throws: `ClientError`.
  public func startChild(
    _ flow: String, input: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> ObjectPath {
    try await call("StartChild", [.string(flow), try daemon.value(of: input), options.value]).path(0)
  }

  /// Reads the coordinator's properties.
  ///
  /// - Returns: What they say.
  /// - Throws: `ClientError`; ``ClientError/isUnknownObject`` when it has ended.
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

  /// Asks whether the coordinator is held.
  ///
  /// - Returns: Why no event reaches it; nil if events do.
  /// - Throws: `ClientError`; ``ClientError/isUnknownObject`` when it has ended.
  public func held() async throws(ClientError) -> String? {
    do {
      return Self.reason(try await daemon.property("Held", path, Contract.coordinatorInterface, destination: destination))
    } catch .failed(let error) where error.isStandard("UnknownProperty") {
      // An older daemon, which holds nothing.
      return nil
    }
  }

  private static func reason(_ held: Value?) -> String? { held?.string.flatMap { $0.isEmpty ? nil : $0 } }

  private func call(_ member: String, _ arguments: [Value]) async throws(ClientError) -> Reply {
    try await daemon.call(
      path, Contract.coordinatorInterface, member, arguments, destination: destination, deadline: DaemonClient.handlerDeadline)
  }
}
