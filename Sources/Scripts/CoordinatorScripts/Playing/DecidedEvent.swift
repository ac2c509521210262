import CoordinatorKit
import Forms
import ScriptEngine

/// One event, and the answer of the script to it.
package struct DecidedEvent: Sendable {
  /// The script.
  package let script: Script
  let question: FlowQuestion
  /// The answer of the script.
  package let answer: FlowAnswer

  init(script: Script, question: FlowQuestion, answer: FlowAnswer) {
    (self.script, self.question, self.answer) = (script, question, answer)
  }

  /// The coordinator.
  package var instance: FlowInstance { question.instance }
  /// What has happened.
  package var event: FlowQuestion.Event { question.event }

  /// The coordinator's input.
  package var input: [String: JSONValue] { question.context.input }
  /// The names of the secrets that the coordinator kept before the event.
  package var keptSecrets: [String] { question.context.secrets }

  /// The log before the event; nil before the start.
  package var logBefore: ScriptLog? { event == .start ? nil : ScriptLog(text: question.state) }

  /// The log including the event, before the script runs; nil if the script does not continue from there.
  package var toldLog: ScriptLog? {
    guard var log = event == .start ? ScriptLog(input: question.context.input) : logBefore else { return nil }
    switch log.take(event).verdict {
    case .goOn, .goOnRunning: return log
    case .tryAgain, .stop, .rerun, .end, .refused, .noted, .nothing: return nil
    }
  }

  /// The log after the event; nil if the coordinator has ended, or nothing was decided.
  package var logAfter: ScriptLog? {
    guard case .decided(let decision) = answer, outcome == nil else { return nil }
    return ScriptLog(text: decision.state)
  }

  /// How the event has ended the coordinator; nil if it has not.
  package var outcome: Outcome? {
    switch answer {
    case .failed(let failure): return .failed(failure)
    case .decided(let decision):
      for operation in decision.operations {
        switch operation {
        case .finish(let result, _): return .finished(result)
        case .cancel: return .cancelled
        case .fail(let failure): return .failed(failure)
        default: break
        }
      }
      return nil
    case .refused, .notTaken, .trouble: return nil
    }
  }
}

extension ScriptLog {
  /// Reads a log; nil if the text is not a log.
  package init?(text: String) {
    guard let json = try? JSONValue(parsing: text.utf8), let log = try? ScriptLog(json: json) else { return nil }
    self = log
  }

  /// The entry that a piece of work is about; nil for work that only continues a script.
  package func entry(of work: String) -> LogEntry? { entries.first { $0.step?.work == work } }
}

extension WorkKind {
  /// Returns the kind that the id of a piece of work begins with.
  package init?(ofWork id: String) { self.init(rawValue: id.bytes.cut(at: "-").map { String($0.before) } ?? id) }
}

extension ProvidedWork.End {
  /// Returns the end of a step or a look that a stub replaces.
  ///
  /// - Parameter ending: how it has ended.
  /// - Returns: the end.
  package static func ended(_ ending: StepEnding) -> ProvidedWork.End { .done(WorkOutcome.ended(ending).text) }

  /// The end of a step that was interrupted: how far it got is unknown.
  package static var cutShort: ProvidedWork.End { .done(WorkOutcome.interrupted.text) }
}
