import CoordinatorBus
import CoordinatorKit
import DBus

extension FlowAnswer {
  /// Reads an error that is an answer of the flow; nil if it is the provider's trouble.
  package init?(_ error: DBusError) {
    switch ContractError(error) {
    case .denied(let message): self = .refused(.denied(message))
    case .invalidPayload(_, let reasons): self = .refused(.invalidPayload(reasons))
    case .invalidInput(_, let reasons): self = .refused(.invalidInput(reasons))
    case .notDismissable(let message): self = .refused(.notDismissable(message))
    case .unknownFlow: self = .refused(.unknownFlow(error.extra.first?.string ?? ""))
    case .unknownEvent: self = .notTaken
    default:
      switch error.name {
      case Contract.errorPrefix + "LimitsExceeded": self = .refused(.limitExceeded(error.message))
      case Contract.errorPrefix + "Failed":
        let code = error.extra.first?.string ?? "failed"
        let isTechnical = error.extra.dropFirst().first?.bool ?? false
        self = .failed(isTechnical ? Failure(code: code, technical: error.message) : Failure(code: code, message: error.message))
      default: return nil
      }
    }
  }
}
