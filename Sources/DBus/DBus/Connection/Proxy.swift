/// One interface of another connection's object.
public struct Proxy: Sendable {
  /// The connection to call through.
  public var connection: Connection
  /// The bus name of who has the object.
  public var destination: String
  /// The object.
  public var path: ObjectPath
  /// The interface.
  public var interface: String

  /// Describes the object; nothing is sent.
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

  /// Reads a property.
  public func property(_ name: String) async throws -> Value {
    let values = try await callProperties("Get", [.string(interface), .string(name)])
    guard case .variant(let value)? = values.first else { throw ConnectionError.unreadableReply("a variant was expected") }
    return value
  }

  /// Reads all properties of the interface.
  public func properties() async throws -> [String: Value] {
    guard let properties = try await callProperties("GetAll", [.string(interface)]).first?.vardict else {
      throw ConnectionError.unreadableReply("an a{sv} was expected")
    }
    return properties
  }

  /// Changes a property.
  public func setProperty(_ name: String, to value: Value) async throws {
    _ = try await callProperties("Set", [.string(interface), .string(name), .variant(value)])
  }

  /// The signals of the interface, or one of them by its name; see ``Connection/signals(matching:bufferSize:)``.
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
