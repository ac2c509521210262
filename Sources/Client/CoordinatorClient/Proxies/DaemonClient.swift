import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// A client's view of the daemon: a connection to its bus, and proxies for its objects.
public struct DaemonClient: Sendable {
  /// The connection that all calls go through.
  public let connection: Connection
  /// The language for the flows that this client starts, unless the call names another one; nil to leave it to the flow. A
  /// daemon that has no languages yet ignores it.
  public var language: LanguageTag?
  /// The way in which calls of this client come, such as "coordinatorctl", for the history of the daemon. The calls of an
  /// attached renderer need none, because the daemon knows its kind. A daemon that records no ways yet is not told.
  public var way: String?

  /// Creates a client on an open connection.
  public init(connection: Connection) {
    self.connection = connection
  }

  /// Connects to a bus. Does not check whether the daemon is present.
  ///
  /// - Parameter bus: address of the bus.
  /// - Returns: a client on that bus.
  /// - Throws: ``ClientError/connection(_:)`` with the address that failed.
  public static func connect(to bus: BusAddress) async throws(ClientError) -> DaemonClient {
    do {
      return DaemonClient(connection: try await Connection.open(bus))
    } catch {
      throw ClientError(error)
    }
  }

  /// A proxy for the manager, which starts flows and reports how they ended.
  public var manager: ManagerProxy { ManagerProxy(daemon: self) }

  /// Returns a proxy for a running coordinator. Sends nothing.
  ///
  /// - Parameters:
  ///   - path: path of the coordinator's object.
  ///   - owner: unique name of the connection to call; nil for the current owner of the daemon's name.
  /// - Returns: the proxy.
  public func coordinator(_ path: ObjectPath, owner: String? = nil) -> CoordinatorProxy {
    CoordinatorProxy(daemon: self, path: path, destination: owner ?? Contract.busName)
  }

  /// Returns a proxy for the Router of a flow tree. Sends nothing.
  ///
  /// - Parameters:
  ///   - path: path of the Router's object.
  ///   - owner: unique name of the connection to call; nil for the current owner of the daemon's name.
  /// - Returns: the proxy.
  public func router(_ path: ObjectPath, owner: String? = nil) -> RouterProxy {
    RouterProxy(daemon: self, path: path, destination: owner ?? Contract.busName)
  }

  /// Sends the queued messages and closes the connection.
  public func close() async { await connection.close() }

  /// Makes a call with the client's own language and way, unless the options have others.
  ///
  /// - Parameters:
  ///   - options: options that the caller has given.
  ///   - speaks: whether the called method takes a language.
  ///   - call: closure that makes the call. Called again without an option that an older daemon does not know: such a daemon
  ///     has changed nothing.
  /// - Returns: the reply.
  /// - Throws: ``ClientError``.
  func calling(
    with options: Options, speaks: Bool = false, _ call: (Options) async throws(ClientError) -> Reply
  ) async throws(ClientError) -> Reply {
    var own = options
    own.way = options.way ?? way
    if speaks { own.language = options.language ?? language }
    while true {
      do {
        return try await call(own)
      } catch {
        guard case .failed(let reason) = error else { throw error }
        if own.way != options.way, reason.isUnknownOption(.way) {
          own.way = options.way
        } else if own.language != options.language, reason.isUnknownOption(.language) {
          own.language = options.language
        } else if own.proposals != nil, reason.message.bytes.hasPrefix("unknown option 'proposals'") {
          own.proposals = nil
        } else {
          throw error
        }
      }
    }
  }

  /// The timeout of a call that a flow must handle. Longer than the 30 seconds after which the daemon abandons a handler.
  static let handlerDeadline = Duration.seconds(40)

  /// Calls a method, and classifies the errors.
  func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [],
    destination: String = Contract.busName, deadline: Duration? = .seconds(25)
  ) async throws(ClientError) -> Reply {
    let proxy = Proxy(connection: connection, destination: destination, path: path, interface: interface)
    do {
      return Reply(member: member, values: try await proxy.call(member, arguments, deadline: deadline))
    } catch {
      throw ClientError(error)
    }
  }

  /// Reads a property of an interface.
  func property(
    _ name: String, _ path: ObjectPath, _ interface: String, destination: String = Contract.busName
  ) async throws(ClientError) -> Value {
    let proxy = Proxy(connection: connection, destination: destination, path: path, interface: interface)
    do {
      return try await proxy.property(name)
    } catch {
      throw ClientError(error)
    }
  }

  /// Reads all properties of an interface.
  func properties(
    _ path: ObjectPath, _ interface: String, destination: String = Contract.busName
  ) async throws(ClientError) -> Properties {
    let proxy = Proxy(connection: connection, destination: destination, path: path, interface: interface)
    do {
      return Properties(values: try await proxy.properties())
    } catch {
      throw ClientError(error)
    }
  }

  /// Returns the unique name of the owner of the daemon's name. Starts the daemon if the name has no owner and the bus
  /// can activate it.
  func owner() async throws(ClientError) -> String {
    do {
      return try await ask("GetNameOwner", [.string(Contract.busName)]).text(0)
    } catch .noDaemon {
      _ = try await ask("StartServiceByName", [.string(Contract.busName), .uint32(0)])
      return try await ask("GetNameOwner", [.string(Contract.busName)]).text(0)
    }
  }

  /// Calls a method of the bus driver (`org.freedesktop.DBus`).
  func ask(_ member: String, _ arguments: [Value]) async throws(ClientError) -> Reply {
    try await call("/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments, destination: "org.freedesktop.DBus")
  }
}

/// The process that owns the daemon's name.
public struct DaemonProcess: Sendable, Hashable {
  /// The process id.
  public var number: UInt32
  /// The id of the user that the process runs as.
  public var user: UInt32
}

extension DaemonClient {
  /// Returns the process that currently owns the daemon's name. Does not start the daemon.
  ///
  /// - Returns: the process, or nil if the name has no owner.
  /// - Throws: ``ClientError`` if the bus does not answer the queries.
  public func process() async throws(ClientError) -> DaemonProcess? {
    do {
      let owner = try await ask("GetNameOwner", [.string(Contract.busName)]).text(0)
      let number = try await ask("GetConnectionUnixProcessID", [.string(owner)])
      let user = try await ask("GetConnectionUnixUser", [.string(owner)])
      return DaemonProcess(number: try number.smallNumber(0), user: try user.smallNumber(0))
    } catch .noDaemon {
      return nil
    }
  }
}

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
    let payload = try daemon.value(of: payload)
    return try await call("Delegate", [.uint64(screen), .string(event), payload], options).number(0)
  }

  /// Ends the coordinator and its children.
  ///
  /// - Parameters:
  ///   - animated: whether renderers are asked to animate the dismissal.
  ///   - options: options of the call; `request` applies.
  /// - Returns: the revision of the tree after the dismissal.
  /// - Throws: ``ClientError``.
  public func dismiss(animated: Bool = true, options: Options = Options()) async throws(ClientError) -> UInt64 {
    try await call("Dismiss", [.boolean(animated)], options).number(0)
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
    try await call("StartChild", [.string(flow), try daemon.value(of: input)], options).path(0)
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

  /// Asks whether this client may answer the coordinator.
  ///
  /// - Returns: the reason why it may only see it; nil if it may answer, as it may with an older daemon.
  /// - Throws: ``ClientError``, for which ``ClientError/isUnknownObject`` is true if the coordinator has ended.
  public func reasonAgainstAnswering() async throws(ClientError) -> String? {
    do throws(ClientError) {
      let reply = try await daemon.call(
        path, Contract.coordinatorInterface, "MayAnswer", [], destination: destination, deadline: .seconds(25))
      guard let may = reply.values.first?.bool else { throw reply.malformed }
      return may ? nil : try reply.text(1)
    } catch .failed(let error) where error.isStandard("UnknownMethod") {
      return nil
    }
  }

  private func call(_ member: String, _ arguments: [Value], _ options: Options) async throws(ClientError) -> Reply {
    try await daemon.calling(with: options) { options throws(ClientError) in
      try await daemon.call(
        path, Contract.coordinatorInterface, member, arguments + [options.value], destination: destination,
        deadline: DaemonClient.handlerDeadline)
    }
  }
}
