/// A signal to send.
public struct Signal: Sendable, Hashable {
  /// The path of the object that emits the signal.
  public var path: ObjectPath
  /// The interface that declares the signal.
  public var interface: String
  /// The signal's name.
  public var member: String
  /// The signal's arguments.
  public var body: [Value]

  /// Creates a signal. It is not checked until it is sent.
  public init(path: ObjectPath, interface: String, member: String, body: [Value] = []) {
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
  }
}
