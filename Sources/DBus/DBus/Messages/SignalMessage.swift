/// A signal as it was received.
public struct SignalMessage: Sendable, Hashable {
  /// The unique name of the connection that sent it, or `org.freedesktop.DBus` for the bus itself.
  public var sender: String
  /// The object that it comes from.
  public var path: ObjectPath
  /// The interface that declares it.
  public var interface: String
  /// Its name.
  public var member: String
  /// Its arguments.
  public var body: [Value]
  /// The serial number that the sender gave it.
  public var serial: UInt32

  /// Puts a signal together.
  public init(sender: String, path: ObjectPath, interface: String, member: String, body: [Value] = [], serial: UInt32 = 0) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
    self.serial = serial
  }
}
