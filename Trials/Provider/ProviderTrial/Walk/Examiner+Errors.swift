import CoordinatorBus
import CoordinatorKit
import DBus

extension Examiner {
  /// Examines an error as the daemon does.
  func examine(_ error: DBusError, to question: Question, _ turn: UInt64) -> FlowAnswer {
    log.tries(.errorIsKnown)
    let canBubble = ["event", "from-child", "script"].contains(question.kind)
    let refusal: Refusal
    switch ContractError(error) {
    case .denied(let message): refusal = .denied(message)
    case .invalidPayload(_, let reasons): refusal = .invalidPayload(reasons)
    case .invalidInput(_, let reasons): refusal = .invalidInput(reasons)
    case .notDismissable(let message): refusal = .notDismissable(message)
    case .unknownEvent:
      if canBubble { return .notTaken }
      log.found(.refusalIsAwaited, "it answered UnknownEvent, but no parent takes this event", over: question, turn: turn)
      return .trouble(.failed("the provider left what it must take"))
    default:
      if error.name == Contract.errorPrefix + "Failed" {
        return .failed(Failure(code: error.extra.first?.string ?? "failed", message: error.message))
      }
      log.found(.errorIsKnown, "it answered with the error \(error)", over: question, turn: turn)
      return .trouble(.failed("\(error)"))
    }
    if question.isAwaited { return .refused(refusal) }
    log.found(.refusalIsAwaited, "it refused the event: \(error.message)", over: question, turn: turn)
    return .trouble(.failed("the provider refused: \(error.message)"))
  }
}
