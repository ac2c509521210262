/// A received signal.
public struct SignalMessage: Sendable, Hashable {
  /// The unique name of the connection that sent the signal, or `org.freedesktop.DBus` for the bus itself.
  public var sender: String
  /// The path of the object that emitted the signal.
  public var path: ObjectPath
  /// The interface that declares the signal.
  public var interface: String
  /// The signal's name.
  public var member: String
  /// The signal's arguments.
  public var body: [Value]
  /// The serial number that the sender assigned to the message.
  public var serial: UInt32

  /// Creates a received signal.
  public init(sender: String, path: ObjectPath, interface: String, member: String, body: [Value] = [], serial: UInt32 = 0) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
    self.serial = serial
  }
}
