import CoordinatorKit
import Forms
import ScriptEngine

extension ScriptLog {
  /// Takes an event of the daemon.
  ///
  /// - Parameter event: the event.
  /// - Returns: what comes of it, and which piece of work or timer it says is over.
  mutating func take(_ event: FlowQuestion.Event) -> (verdict: EventVerdict, over: String?) {
    switch event {
    case .start: return (.goOnRunning, nil)
    case .event(let name, let key, let payload, let secrets): return (answer(name, payload, secrets: secrets, on: key), nil)
    case .back: return (goBack(), nil)
    case .childEnded(let child, let outcome, _):
      return (childHasEnded(ChildEnding(outcome), flow: child.flow, input: child.input), nil)
    case .workEnded(let id, let end): return (workHasEnded(id, end), id)
    case .workInterrupted(let id): return (workWasInterrupted(id), id)
    case .secretsGone(let names): return (secretsAreGone(names), nil)
    case .timer(let key): return (timerIsOver(key), key)
    case .language: return (.rerun(.changed), nil)
    case .migrate: return (.rerun(.changed), nil)
    case .fromChild, .script: return (.refused("this flow has no such event"), nil)
    case .output, .message, .looking: return (.nothing, nil)
    }
  }

  private mutating func workHasEnded(_ id: String, _ end: ProvidedWork.End) -> EventVerdict {
    let outcome: WorkOutcome =
      switch end {
      case .done(let text): WorkOutcome(try? JSONValue(parsing: text.utf8))
      case .failed: .interrupted
      }
    if running == id {
      running = nil
      return .goOnRunning
    }
    switch outcome {
    case .ready: return .nothing
    case .ended(let ending): return workHasEnded(id, ending)
    case .interrupted: return workWasInterrupted(id)
    case .died: return workWasInterrupted(id, isDeath: true)
    }
  }

  /// The names of the secrets that the first step after a form may still take.
  var neededSecrets: Set<String> {
    unspentSecrets.union(entries.filter { $0.isOpen }.flatMap { $0.step?.secrets ?? [] })
  }
}

extension ChildEnding {
  init(_ outcome: Outcome) {
    self =
      switch outcome {
      case .finished(let result): .finished(result)
      case .cancelled: .cancelled
      case .failed(let failure): .failed(StepError(type: failure.code, message: failure.message))
      }
  }
}
