import CoordinatorBus
import DBus

/// Why a call on the daemon did not work.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The daemon refused, with one of the contract's errors.
  case refused(ContractError)
  /// The daemon or the bus answered with another error.
  case failed(DBusError)
  /// There is no bus to connect to, or it went away.
  case connection(ConnectionError)
  /// Nobody on the bus owns the daemon's name.
  case noDaemon
  /// The daemon's answer is not what the contract says.
  case malformedAnswer(String)
  /// The task that called was cancelled.
  case cancelled

  /// Sorts an error that a call on the connection threw.
  init(_ error: any Error) {
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

  /// Whether the object that was called is not there (any more).
  public var isUnknownObject: Bool {
    guard case .failed(let error) = self else { return false }
    return error.isStandard("UnknownObject")
  }

  /// One line for people.
  public var description: String {
    switch self {
    case .refused(let error): error.message
    case .failed(let error): error.message.isEmpty ? error.name : error.message
    case .connection(let error): error.description
    case .noDaemon: "coordinatord is not on the bus"
    case .malformedAnswer(let reason): "coordinatord answered with something unexpected: \(reason)"
    case .cancelled: "cancelled"
    }
  }
}
