/// A call of a method of a remote object.
public struct MethodCall: Sendable, Hashable {
  /// The callee's bus name, unique or well-known.
  public var destination: String
  /// The object's path.
  public var path: ObjectPath
  /// The method's interface. If it is nil the callee chooses, which few callees do well.
  public var interface: String?
  /// The method's name.
  public var member: String
  /// The arguments.
  public var arguments: [Value]
  /// Whether the bus starts the service if it is not running.
  public var autoStart: Bool

  /// Creates a call. It is not checked until it is sent.
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

  /// Returns a call to the bus itself.
  static func bus(_ member: String, _ arguments: [Value], interface: String = BusDriver.name) -> MethodCall {
    MethodCall(destination: BusDriver.name, path: BusDriver.path, interface: interface, member: member, arguments: arguments)
  }
}

/// The bus itself as a peer.
///
/// Source: D-Bus Specification, "Message Bus Messages".
enum BusDriver {
  /// The bus's own name, which is also the name of the interface with its methods and signals.
  static let name = "org.freedesktop.DBus"
  static let path: ObjectPath = "/org/freedesktop/DBus"
}
