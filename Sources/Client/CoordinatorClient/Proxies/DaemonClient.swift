import CoordinatorBus
import DBus
import Languages

/// A client's view of the daemon: a connection to its bus, and proxies for its objects.
public struct DaemonClient: Sendable {
  /// The connection that all calls go through.
  public let connection: Connection
  /// The language for the flows that this client starts, unless the call names another one; nil to leave it to the flow. A
  /// daemon that has no languages yet ignores it.
  public var language: LanguageTag?

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
