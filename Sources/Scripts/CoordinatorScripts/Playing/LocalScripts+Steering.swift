import CoordinatorKit
import ScriptEngine

extension LocalScripts {
  /// Lets the next flow that starts go on with a log that was kept, as a flow does whose script has changed.
  ///
  /// What the script has asked for last, it asks for again. Steps that had begun are begun again.
  ///
  /// - Parameter log: the log.
  package func goOn(with log: ScriptLog) {
    var log = log
    while let last = log.entries.last, last.isOpen, last.step == nil { log.entries.removeLast() }
    for index in log.entries.indices { log.entries[index].changeStep { $0.work = nil } }
    log.running = nil
    keep(log)
  }

  /// The question about an event, or about the log that goes on in place of a start.
  func continued(_ question: FlowQuestion) -> FlowQuestion {
    guard question.event == .start, let log = takeKept() else { return question }
    return FlowQuestion(
      .migrate(from: log.version), of: question.instance, turn: question.turn, state: log.text, in: question.context)
  }

  /// Crashes if a script has got to a step before which everything is to crash: when it is stored what the event has told,
  /// and the script has not got to the step yet.
  ///
  /// - Parameter decided: what the script has decided.
  /// - Returns: what is asked after the crash; nil if there is none.
  func crashed(before decided: DecidedEvent) -> FlowQuestion? {
    guard let log = decided.logAfter, decided.isAlone, decided.ordersStep(of: log), let told = decided.toldLog,
      takesCrash()
    else { return nil }
    kill()
    let (question, lost) = (decided.question, decided.secrets)
    var context = question.context
    context.work = []
    return FlowQuestion(
      lost.isEmpty ? .language : .secretsGone(lost), of: question.instance, turn: question.turn + 1, state: told.text,
      in: context)
  }
}

extension DecidedEvent {
  /// Whether no other work of the coordinator runs.
  fileprivate var isAlone: Bool {
    guard case .workEnded(let id, _) = event else { return question.context.work.isEmpty }
    return question.context.work.allSatisfy { $0 == id }
  }

  /// The names of the secrets that came with the event, or were kept before it.
  fileprivate var secrets: [String] {
    guard case .event(_, _, _, let secrets) = event else { return question.context.secrets }
    return Set(secrets + question.context.secrets).sorted()
  }

  /// Whether a step begins, which is more than a look.
  fileprivate func ordersStep(of log: ScriptLog) -> Bool {
    guard case .decided(let decision) = answer else { return false }
    return decision.operations.contains { operation in
      guard case .startWork(let work, _, _) = operation else { return false }
      return WorkArgument(work.argument)?.kind == .step && log.entry(of: work.id)?.step?.isLook == false
    }
  }
}
