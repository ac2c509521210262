/// A call of a method of another connection's object.
public struct MethodCall: Sendable, Hashable {
  /// The callee's bus name, unique or well-known.
  public var destination: String
  /// The object.
  public var path: ObjectPath
  /// The interface of the method; nil lets the callee choose, which few callees do well.
  public var interface: String?
  /// The method.
  public var member: String
  /// What it is called with.
  public var arguments: [Value]
  /// Whether the bus shall start a service that does not run.
  public var autoStart: Bool

  /// Puts a call together. Nothing is checked before it is sent.
  public init(
    destination: String, path: ObjectPath, interface: String?, member: String, arguments: [Value] = [], autoStart: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.autoStart = autoStart
  }

  /// A call of the bus itself.
  static func bus(_ member: String, _ arguments: [Value], interface: String = BusDriver.name) -> MethodCall {
    MethodCall(destination: BusDriver.name, path: BusDriver.path, interface: interface, member: member, arguments: arguments)
  }
}

/// The bus as a peer of its own.
///
/// Source: D-Bus Specification, "Message Bus Messages".
enum BusDriver {
  /// Its bus name, and the interface with its methods and signals.
  static let name = "org.freedesktop.DBus"
  static let path: ObjectPath = "/org/freedesktop/DBus"
}
