import CoordinatorKit
import Forms
import ScriptEngine

extension ScriptLog {
  /// Handles an event of the daemon.
  ///
  /// - Parameter event: the event.
  /// - Returns: the verdict, and the piece of work or the timer that the event has ended.
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

extension ScriptLog {
  /// Drops the last answer and what follows it, as an administrator has ordered.
  ///
  /// - Parameter event: the event that this replaces.
  /// - Returns: the verdict, and the piece of work or the timer that the event has ended.
  mutating func dropLast(insteadOf event: FlowQuestion.Event) -> (verdict: EventVerdict, over: String?) {
    let over: String? =
      switch event {
      case .workEnded(let id, _), .workInterrupted(let id): id
      case .timer(let key): key
      default: nil
      }
    guard dropLast() else { return (.refused("Nothing was answered yet."), over) }
    (notices, running) = ([], nil)
    return (.rerun(.back), over)
  }

  /// Sets the time of entries that were recorded.
  ///
  /// - Parameter now: the time, in microseconds since 1970.
  mutating func note(_ now: UInt64) {
    for index in entries.indices where !entries[index].isOpen && entries[index].time == nil {
      entries[index].time = now
    }
  }
}

/// The outcome of a piece of work, as the daemon keeps it until the script receives it.
enum WorkOutcome: Sendable, Hashable {
  /// The script has reached its next operation.
  case ready
  case ended(StepEnding)
  /// The work was interrupted, or there was no run to perform it.
  case interrupted
  /// The script's process has ended by itself.
  case died

  /// The maximum number of bytes of a result, so that it fits into the log.
  private static let maxSize = 200 * 1024

  /// The outcome as text.
  var text: String {
    let text = json.wholeText
    guard text.utf8.count > Self.maxSize else { return text }
    return WorkOutcome.ended(.failed(shortened)).json.wholeText
  }

  /// The error that is recorded instead of a result that is too long.
  private var shortened: StepError {
    guard case .ended(.failed(let error)) = self else {
      // The step was performed, and is not repeated.
      return StepError(
        type: StepError.tooLongType,
        message: "This was done, but its result has more than \(Self.maxSize / 1024) KiB, and is not recorded.")
    }
    let status = error.rest["status"].map { ["status": $0] } ?? [:]
    return StepError(type: Self.beginning(of: error.type), message: Self.beginning(of: error.message), rest: status)
  }

  private static func beginning(of text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(1_000))) }

  private var json: JSONValue {
    switch self {
    case .ready: ["ready": true]
    case .ended(.done(let value)): ["done": value]
    case .ended(.failed(let error)): ["error": error.json]
    case .interrupted: ["interrupted": true]
    case .died: ["interrupted": true, "died": true]
    }
  }

  /// Reads an outcome; anything else is an interruption.
  init(_ json: JSONValue?) {
    if json?["ready"]?.boolean == true {
      self = .ready
    } else if let value = json?.object?["done"] {
      self = .ended(.done(value))
    } else if let error = json?["error"] {
      self = .ended(.failed(StepError(json: error)))
    } else {
      self = json?["died"]?.boolean == true ? .died : .interrupted
    }
  }
}
