/// What goes wrong between this process and the bus, as opposed to a ``DBusError``, which somebody answered.
public enum ConnectionError: Error, Sendable, Hashable {
  /// There is no bus to connect to: the address that was tried, and why it did not work.
  case cannotConnect(address: String, reason: String)
  /// The connection is closed, by us or by the bus.
  case disconnected
  /// No reply came before the deadline. The call may still be carried out.
  case timedOut
  /// A reply came that cannot be read: nested too deeply, too large, or with a unix file descriptor in it.
  case unreadableReply(String)
}

extension ConnectionError: CustomStringConvertible {
  /// One line, fit to be shown to a person.
  public var description: String {
    switch self {
    case .cannotConnect(let address, let reason): "cannot connect to the bus at \(address): \(reason)"
    case .disconnected: "the connection to the bus is closed"
    case .timedOut: "no reply came in time"
    case .unreadableReply(let reason): "the reply cannot be read: \(reason)"
    }
  }
}
