/// One interface of a remote object.
public struct Proxy: Sendable {
  /// The connection to call through.
  public var connection: Connection
  /// The bus name of the connection that exports the object.
  public var destination: String
  /// The object's path.
  public var path: ObjectPath
  /// The interface's name.
  public var interface: String

  /// Creates a proxy. Sends nothing.
  public init(connection: Connection, destination: String, path: ObjectPath, interface: String) {
    self.connection = connection
    self.destination = destination
    self.path = path
    self.interface = interface
  }

  /// Calls a method; see ``Connection/call(_:deadline:)``.
  public func call(_ member: String, _ arguments: [Value] = [], deadline: Duration? = .seconds(25)) async throws -> [Value] {
    try await connection.call(
      MethodCall(destination: destination, path: path, interface: interface, member: member, arguments: arguments),
      deadline: deadline)
  }

  /// Reads a property with `org.freedesktop.DBus.Properties.Get`. Throws the same errors as
  /// ``Connection/call(_:deadline:)``, and `ConnectionError.unreadableReply` for a reply of the wrong type.
  public func property(_ name: String) async throws -> Value {
    let values = try await callProperties("Get", [.string(interface), .string(name)])
    guard case .variant(let value)? = values.first else { throw ConnectionError.unreadableReply("expected a variant") }
    return value
  }

  /// Reads all properties of the interface with `org.freedesktop.DBus.Properties.GetAll`. Throws the same errors as
  /// ``property(_:)``.
  public func properties() async throws -> [String: Value] {
    guard let properties = try await callProperties("GetAll", [.string(interface)]).first?.vardict else {
      throw ConnectionError.unreadableReply("expected an a{sv}")
    }
    return properties
  }

  /// Sets a property with `org.freedesktop.DBus.Properties.Set`. Throws the same errors as
  /// ``Connection/call(_:deadline:)``.
  public func setProperty(_ name: String, to value: Value) async throws {
    _ = try await callProperties("Set", [.string(interface), .string(name), .variant(value)])
  }

  /// Subscribes to the interface's signals, or to the one called `member`; see
  /// ``Connection/signals(matching:bufferSize:)``.
  public func signals(_ member: String? = nil, bufferSize: Int = 1024) async throws -> SignalSequence {
    let rule = MatchRule(sender: destination, path: path, interface: interface, member: member)
    return try await connection.signals(matching: rule, bufferSize: bufferSize)
  }

  private func callProperties(_ member: String, _ arguments: [Value]) async throws -> [Value] {
    try await connection.call(
      MethodCall(
        destination: destination, path: path, interface: StandardInterfaces.properties.name, member: member, arguments: arguments)
    )
  }
}
