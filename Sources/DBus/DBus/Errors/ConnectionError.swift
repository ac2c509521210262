/// A failure between this process and the bus, as opposed to a ``DBusError``, which is an answer.
public enum ConnectionError: Error, Sendable, Hashable {
  /// The bus could not be reached at the given address, for the given reason.
  case cannotConnect(address: String, reason: String)
  /// The connection has been closed, by this process or by the bus.
  case disconnected
  /// No reply arrived before the deadline. The call may still be carried out.
  case timedOut
  /// The reply cannot be decoded: it is nested too deeply, too large, contains a Unix file descriptor, or does not have
  /// the expected type.
  case unreadableReply(String)
}

extension ConnectionError: CustomStringConvertible {
  /// The error on one line, for people.
  public var description: String {
    switch self {
    case .cannotConnect(let address, let reason): "cannot connect to the bus at \(address): \(reason)"
    case .disconnected: "the connection to the bus is closed"
    case .timedOut: "no reply was received in time"
    case .unreadableReply(let reason): "the reply cannot be read: \(reason)"
    }
  }
}
