import CoordinatorBus
import DBus

/// The reason why a call to the daemon failed.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The daemon refused the call with one of the contract's errors.
  case refused(ContractError)
  /// The daemon or the bus replied with any other D-Bus error.
  case failed(DBusError)
  /// There is no bus to connect to, or the connection was lost.
  case connection(ConnectionError)
  /// The daemon's name has no owner on the bus.
  case noDaemon
  /// The daemon's reply violates the contract; the associated value names the part at fault.
  case malformedAnswer(String)
  /// The calling task was cancelled.
  case cancelled

  /// Classifies an error thrown by a call on the connection.
  package init(_ error: any Error) {
    switch error {
    case let error as ClientError: self = error
    case let error as ConnectionError: self = .connection(error)
    case let error as DBusError:
      if let refusal = ContractError(error) {
        self = .refused(refusal)
      } else if error.isStandard("ServiceUnknown") || error.isStandard("NameHasNoOwner") {
        self = .noDaemon
      } else {
        self = .failed(error)
      }
    case is CancellationError: self = .cancelled
    default: self = .malformedAnswer(String(describing: error))
    }
  }

  /// Whether the called object does not exist, or no longer exists.
  public var isUnknownObject: Bool {
    guard case .failed(let error) = self else { return false }
    return error.isStandard("UnknownObject")
  }

  /// Whether the daemon has left the bus, before the call or before its reply. It is unknown whether the call took effect; the
  /// next owner of the name can be queried.
  public var isDaemonGone: Bool {
    switch self {
    case .noDaemon: true
    case .failed(let error): error.isStandard("NoReply")
    default: false
    }
  }

  /// A one-line description of the error for users.
  public var description: String {
    switch self {
    case .refused(let error): error.message
    case .failed(let error): error.message.isEmpty ? error.name : error.message
    case .connection(let error): error.description
    case .noDaemon: "coordinatord is not on the bus"
    case .malformedAnswer(let reason): "unexpected reply from coordinatord: \(reason)"
    case .cancelled: "cancelled"
    }
  }
}
