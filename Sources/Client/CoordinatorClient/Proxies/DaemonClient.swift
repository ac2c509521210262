import CoordinatorBus
import DBus

/// The daemon, as a client sees it: a connection to its bus, and proxies for its objects.
public struct DaemonClient: Sendable {
  /// The connection that all calls go through.
  public let connection: Connection

  /// The daemon on a bus that is connected already.
  public init(connection: Connection) {
    self.connection = connection
  }

  /// Connects to a bus. Whether the daemon is there is not asked yet.
  ///
  /// - Parameter bus: Which bus.
  /// - Returns: The daemon on that bus.
  /// - Throws: `ClientError.connection` with the address that was tried.
  public static func connect(to bus: BusAddress) async throws(ClientError) -> DaemonClient {
    do {
      return DaemonClient(connection: try await Connection.open(bus))
    } catch {
      throw ClientError(error)
    }
  }

  /// Starts flows and knows how they ended.
  public var manager: ManagerProxy { ManagerProxy(daemon: self) }

  /// A running coordinator.
  ///
  /// - Parameters:
  ///   - path: Its object.
  ///   - owner: The unique name of the connection to ask; nil for whoever owns the daemon's name.
  /// - Returns: A proxy; nothing is sent.
  public func coordinator(_ path: ObjectPath, owner: String? = nil) -> CoordinatorProxy {
    CoordinatorProxy(daemon: self, path: path, destination: owner ?? Contract.busName)
  }

  /// What a flow tree shows.
  ///
  /// - Parameters:
  ///   - path: The Router's object.
  ///   - owner: The unique name of the connection to ask; nil for whoever owns the daemon's name.
  /// - Returns: A proxy; nothing is sent.
  public func router(_ path: ObjectPath, owner: String? = nil) -> RouterProxy {
    RouterProxy(daemon: self, path: path, destination: owner ?? Contract.busName)
  }

  /// Sends what is queued and closes the connection.
  public func close() async { await connection.close() }

  /// How long a call may take that a flow has to handle: the daemon itself gives up a handler after 30 seconds.
  static let handlerDeadline = Duration.seconds(40)

  /// Calls a method, and sorts what can go wrong.
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

  /// The unique name of the connection that owns the daemon's name; starts the daemon if the bus knows how.
  func owner() async throws(ClientError) -> String {
    do {
      return try await ask("GetNameOwner", [.string(Contract.busName)]).text(0)
    } catch .noDaemon {
      _ = try await ask("StartServiceByName", [.string(Contract.busName), .uint32(0)])
      return try await ask("GetNameOwner", [.string(Contract.busName)]).text(0)
    }
  }

  func ask(_ member: String, _ arguments: [Value]) async throws(ClientError) -> Reply {
    try await call("/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments, destination: "org.freedesktop.DBus")
  }
}
