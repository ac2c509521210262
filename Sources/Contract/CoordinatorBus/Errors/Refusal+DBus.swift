import CoordinatorKit
import DBus

extension Refusal {
  /// The error as clients receive it.
  package var dbusError: DBusError {
    switch self {
    case .denied(let reason): ContractError.denied(message: reason).dbusError
    case .invalidPayload(let reasons): ContractError.invalidPayload(reasons).dbusError
    case .invalidInput(let reasons): ContractError.invalidInput(reasons).dbusError
    case .limitExceeded(let reason): .limitsExceeded(reason)
    case .notDismissable(let reason): ContractError.notDismissable(message: reason).dbusError
    case .unknownFlow(let name): ContractError.unknownFlow(named: name).dbusError
    }
  }
}
