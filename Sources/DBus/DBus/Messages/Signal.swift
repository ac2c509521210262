/// A signal to be sent.
public struct Signal: Sendable, Hashable {
  /// The object that it comes from.
  public var path: ObjectPath
  /// The interface that declares it.
  public var interface: String
  /// Its name.
  public var member: String
  /// Its arguments.
  public var body: [Value]

  /// Puts a signal together. Nothing is checked before it is sent.
  public init(path: ObjectPath, interface: String, member: String, body: [Value] = []) {
    self.path = path
    self.interface = interface
    self.member = member
    self.body = body
  }
}
