import Forms
import Platform

/// One operation of a script.
package struct LogEntry: Sendable, Hashable {
  /// The kind of an operation, and its recorded data.
  package enum Body: Sendable, Hashable {
    /// A question to the user.
    case ask(AskEntry)
    /// A step, or a look, which only reads.
    case step(StepEntry)
    /// A time, a random number, or an id.
    case value(JSONValue)
    case child(ChildEntry)
    case timer(TimerEntry)
    /// A mark that records which variant of a changed script the run uses.
    case patch
  }

  /// The operation's name; from its second use on with `#` and a number.
  package let key: String
  /// Where the operation is in the script; "" if unknown.
  package var place: String
  /// How the reply is printed, for a process whose only way to return something is its output.
  package var style: OutputStyle?
  /// When it was recorded, in microseconds since 1970; nil if unknown, or if the entry is open.
  package var time: UInt64?
  /// Whether the script sends the next operation without waiting for this one.
  package var isFollowed = false
  package var body: Body

  /// Creates an entry.
  package init(_ key: String, _ body: Body, at place: String = "", style: OutputStyle? = nil) {
    (self.key, self.body, self.place, self.style) = (key, body, place, style)
  }
}

/// A question.
package struct AskEntry: Sendable, Hashable {
  /// Changes when the screen or the possible answers change.
  package var digest: String
  package var answer: RecordedAnswer?
  /// The titles of what was chosen, for a review; nil for a form.
  package var text: String?
  /// Whether the question corrects the answer to the one before it.
  package var corrects = false
  /// The actions that end the flow as cancelled.
  package var cancels: [String] = []
  /// When the question is answered without the user, in microseconds since 1970.
  package var due: UInt64?
  /// How long the user has for the answer, in microseconds.
  package var duration: UInt64?
  /// The answer after the timeout; nil if the script receives a timeout instead.
  package var fallback: RecordedAnswer?
  /// The shape of the form, for processes that print its answer; nil if no process prints it.
  package var form: FormShape?

  /// The names of the secrets that came with the answer.
  package var secrets: [String] { answer?.secrets ?? [] }
}

/// A step or a look, which is performed as work.
package struct StepEntry: Sendable, Hashable {
  /// Whether it has no effects.
  package var isLook: Bool
  package var ending: StepEnding?
  /// How often it was begun.
  package var attempts: UInt64 = 0
  package var undo: Undo?
  /// Whether it must not be performed twice.
  package var isOnce = false
  /// The maximum number of attempts if it is retried after a failure; nil if it has one attempt, and is begun again only if
  /// that was interrupted.
  package var mostAttempts: UInt64?
  /// How often it was begun before the log was cut to before it, or before attempts were counted.
  package var earlierAttempts: UInt64 = 0
  /// The names of the secrets that it takes.
  package var secrets: [String] = []
  /// Whether its result is a secret with its name, which the engine keeps for the next step. The log has no result then.
  package var isResultSecret = false
  /// The text of the screen while it is under way.
  package var busy = ""
  /// Whether the user may stop it: its screen then has the action ``ScriptLog/stopAction``.
  package var isStoppable = false
  /// Whether the user has stopped it. What it ends with after that is recorded, but it is not begun again.
  package var isStopped = false
  /// The piece of work under way; nil if there is none.
  package var work: String?
  /// How often the script's process has ended during the step, since a client last retried it.
  package var deaths: UInt64 = 0
  /// Whether Back has interrupted it: it counts as performed until it is undone, and as not performed if it cannot be undone.
  package var isCutShort = false
}

extension StepEntry {
  /// How often it was begun, also before the log was cut.
  var begun: UInt64 { max(attempts, earlierAttempts) }

  /// Whether it must not be begun again, although it is unknown whether it was performed. A look can always be repeated.
  var isExhausted: Bool {
    guard !isLook, let most = isOnce ? 1 : mostAttempts else { return false }
    return begun >= most
  }

  /// Updates the limits of an open step with those of the script's latest request, which may differ from the recorded ones.
  mutating func take(limitsOf request: StepRequest) {
    isStoppable = request.isStoppable
    guard mostAttempts != request.mostAttempts || isOnce != request.isOnce else { return }
    // Attempts were not counted before they were limited: an older `ask` may have made all of them in one.
    if mostAttempts == nil, begun > 0, let most = request.mostAttempts { earlierAttempts = max(earlierAttempts, most) }
    (mostAttempts, isOnce) = (request.mostAttempts, request.isOnce)
    if isExhausted { (ending, work) = (.failed(.unknown), nil) }
  }

  /// Whether it is retried after a failure.
  func isTriedAgain(after ending: StepEnding) -> Bool {
    guard case .failed(let error) = ending, error.mayPass, !isOnce, !isStopped, let mostAttempts else { return false }
    return attempts < mostAttempts
  }
}

/// How a step is undone.
package enum Undo: Sendable, Hashable {
  /// The script does it.
  case byScript
  /// The words of a command, which is executed without a shell.
  case words([String])
  /// A shell command, from a run that began when steps were undone by shell commands.
  case command(String)
}

/// How a step or a look has ended.
package enum StepEnding: Sendable, Hashable {
  case done(JSONValue)
  case failed(StepError)
}

/// The reason of a failed step, as the script receives it.
package struct StepError: Error, Sendable, Hashable {
  /// The type of the error.
  package var type: String
  package var message: String
  /// The further results of a shell command: `status` and `output`.
  package var rest: [String: JSONValue] = [:]

  /// Creates an error.
  package init(type: String, message: String, rest: [String: JSONValue] = [:]) {
    (self.type, self.message, self.rest) = (type, message, rest)
  }

  /// The type of an error that means: the step was performed, but has no result, or none that can be recorded.
  package static let noResultType = "no-result"
  /// The same for a result that is too long.
  package static let tooLongType = "too-long"

  /// Whether the engine gives it, and not the command of a shell script's step.
  package var isOfEngine: Bool { rest["status"] == nil }

  /// Whether the step was performed, or may have been.
  package var mayBeDone: Bool { [Self.unknown.type, Self.noResultType, Self.tooLongType].contains { type.bytes.equals($0) } }

  /// Whether another attempt may have another outcome.
  var mayPass: Bool { !mayBeDone && !type.bytes.equals(Self.secretSpentType) }

  /// The user has stopped a step or look whose process is gone. The status is that of a command that SIGTERM has ended.
  package static let stopped = StepError(
    type: "stopped", message: "This was stopped.", rest: ["status": .integer(128 + 15), "output": ""])
  /// It is unknown whether a step was performed that must not be performed twice.
  static let unknown = StepError(type: "Unknown", message: "It is not known whether this was done.")
  /// The type of an error that means: a step names a secret that it cannot have.
  private static let secretSpentType = "SecretSpent"
  static func secretSpent(_ reason: String) -> StepError { StepError(type: secretSpentType, message: reason) }
}

/// Another flow as a child.
package struct ChildEntry: Sendable, Hashable {
  package var flow: String
  package var input: [String: JSONValue]
  /// The members of the result that are printed; nil for all of them.
  package var keys: [String]?
  package var ending: ChildEnding?
}

/// How a child has ended.
package enum ChildEnding: Sendable, Hashable {
  case finished([String: JSONValue])
  case cancelled
  case failed(StepError)
}

/// A wait until some time.
package struct TimerEntry: Sendable, Hashable {
  /// In microseconds since 1970.
  package var due: UInt64
  /// The duration in microseconds; nil if the script has given a time.
  package var duration: UInt64?
  package var isOver = false
}

/// What the user has answered.
package enum RecordedAnswer: Sendable, Hashable {
  /// An event that the screen offers. In the payload, secrets are `{"secret": true}`.
  case event(String, [String: JSONValue])
  /// The user has not answered before the timeout.
  case timeout

  /// The names of the secrets that came with it.
  var secrets: [String] {
    guard case .event(_, let payload) = self else { return [] }
    return payload.filter { $0.value["secret"]?.boolean == true }.keys.sorted()
  }
}

extension LogEntry {
  /// The name without the number.
  package var name: String { key.bytes.cut(at: "#").map { String($0.before) } ?? key }

  /// Whether the operation has not ended.
  package var isOpen: Bool {
    switch body {
    case .ask(let ask): ask.answer == nil
    case .step(let step): step.ending == nil
    case .child(let child): child.ending == nil
    case .timer(let timer): !timer.isOver
    case .value, .patch: false
    }
  }

  /// Whether it has an effect that asking again does not undo. A step counts as soon as it was begun, unless it has failed.
  package var isEffect: Bool {
    switch body {
    case .step(let step) where !step.isLook:
      switch step.ending {
      case .done: true
      case .failed(let error): error.mayBeDone
      case nil: step.attempts > 0
      }
    case .child(let child): if case .finished = child.ending { true } else { false }
    default: false
    }
  }

  /// Whether Back stops before it: it has such an effect, or may soon have one.
  package var isBarrier: Bool {
    if let step, step.undo != nil { return false }
    return isEffect || step?.isLook == false && isOpen
  }

  package var ask: AskEntry? { if case .ask(let ask) = body { ask } else { nil } }
  package var step: StepEntry? { if case .step(let step) = body { step } else { nil } }
  package var child: ChildEntry? { if case .child(let child) = body { child } else { nil } }
  package var timer: TimerEntry? { if case .timer(let timer) = body { timer } else { nil } }

  /// Changes a question; does nothing to anything else.
  mutating func changeAsk(_ body: (inout AskEntry) -> Void) {
    guard case .ask(var ask) = self.body else { return }
    body(&ask)
    self.body = .ask(ask)
  }

  /// Changes a step; does nothing to anything else.
  package mutating func changeStep(_ body: (inout StepEntry) -> Void) {
    guard case .step(var step) = self.body else { return }
    body(&step)
    self.body = .step(step)
  }
}

extension Array {
  /// The element at an index; nil if there is none.
  package subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
