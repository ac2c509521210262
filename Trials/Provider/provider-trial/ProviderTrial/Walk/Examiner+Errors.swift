import CoordinatorDaemon
import CoordinatorKit
import DBus

extension Examiner {
  /// Examines an error as the daemon does.
  func examine(_ error: DBusError, to question: Question, _ turn: UInt64) -> FlowAnswer {
    log.tries(.errorIsKnown)
    let canBubble = ["event", "from-child", "script"].contains(question.kind)
    switch FlowAnswer(error) {
    case .notTaken where !canBubble:
      log.found(.refusalIsAwaited, "it answered UnknownEvent, but no parent takes this event", over: question, turn: turn)
      return .trouble(.failed("the provider left what it must take"))
    case .refused(let refusal) where !question.isAwaited:
      log.found(.refusalIsAwaited, "it refused the event: \(error.message)", over: question, turn: turn)
      return .trouble(.failed("the provider refused: \(refusal)"))
    case let answer?: return answer
    case nil:
      log.found(.errorIsKnown, "it answered with the error \(error)", over: question, turn: turn)
      return .trouble(.failed("\(error)"))
    }
  }
}
