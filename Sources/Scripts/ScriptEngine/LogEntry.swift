import Forms
import Platform

/// One operation of a script.
package struct LogEntry: Sendable, Hashable {
  /// What an operation is, with what is recorded of it.
  package enum Body: Sendable, Hashable {
    /// A question to the user.
    case ask(AskEntry)
    /// Something that is done, or only read.
    case step(StepEntry)
    /// A time, a random number, or an id.
    case value(JSONValue)
    case child(ChildEntry)
    case timer(TimerEntry)
    /// A mark that the script has a change.
    case patch
  }

  /// The operation's name, for its second use and further ones with `#` and a number.
  package let key: String
  /// Where the operation stands in the script; "" if that is not known.
  package var place: String
  /// What becomes of the reply, for a process whose only way to return something is its output.
  package var style: OutputStyle?
  /// When it was recorded, in microseconds since 1970; nil if that is not known, or it is open.
  package var time: UInt64?
  /// Whether the script asks for the next operation without waiting for this one.
  package var isFollowed = false
  package var body: Body

  /// Creates an entry.
  package init(_ key: String, _ body: Body, at place: String = "", style: OutputStyle? = nil) {
    (self.key, self.body, self.place, self.style) = (key, body, place, style)
  }
}

/// A question.
package struct AskEntry: Sendable, Hashable {
  /// Changes with what is shown and may be answered.
  package var digest: String
  package var answer: RecordedAnswer?
  /// Whether the question corrects the answer to the one before it.
  package var corrects = false
  /// The actions that end the flow as cancelled.
  package var cancels: [String] = []
  /// When the question is answered without the user, in microseconds since 1970.
  package var due: UInt64?
  /// How long the user has for the answer, in microseconds.
  package var duration: UInt64?
  /// The answer then; nil if the script is told that nobody has answered.
  package var fallback: RecordedAnswer?
  /// What has to be known of a form to write its answer; nil if nobody writes it.
  package var form: FormShape?

  /// The names of the secrets that came with the answer.
  package var secrets: [String] { answer?.secrets ?? [] }
}

/// Something that is done as work.
package struct StepEntry: Sendable, Hashable {
  /// Whether it changes nothing.
  package var isLook: Bool
  package var ending: StepEnding?
  /// How often it was begun.
  package var attempts: UInt64 = 0
  package var undo: Undo?
  /// Whether it must not be done twice.
  package var isOnce = false
  /// How often it may be begun at most: it is tried again if it fails. nil if it is tried once, and begun again only if it is
  /// cut short.
  package var mostAttempts: UInt64?
  /// How often it was begun before the log was cut to before it, or before that was counted.
  package var earlierAttempts: UInt64 = 0
  /// The names of the secrets that it takes.
  package var secrets: [String] = []
  /// What the screen says meanwhile.
  package var busy = ""
  /// The piece of work under way; nil if none is.
  package var work: String?
  /// How often the script's process has ended meanwhile, since somebody last had it tried again.
  package var deaths: UInt64 = 0
  /// Whether Back has cut it short: it counts as done until it is undone, and as not done if it cannot be undone.
  package var isCutShort = false
}

extension StepEntry {
  /// How often it was begun, also before the log was cut.
  var begun: UInt64 { max(attempts, earlierAttempts) }

  /// Whether it must not be begun any more, though it is not known whether it was done. A look changes nothing.
  var isExhausted: Bool {
    guard !isLook, let most = isOnce ? 1 : mostAttempts else { return false }
    return begun >= most
  }

  /// The script asks for it once more while it is open, perhaps another one than before: how often it may be begun is as the
  /// script says now.
  mutating func take(limitsOf request: StepRequest) {
    guard mostAttempts != request.mostAttempts || isOnce != request.isOnce else { return }
    // Nobody has counted what was begun before there was a limit: an older `ask` may have tried as often in one attempt.
    if mostAttempts == nil, begun > 0, let most = request.mostAttempts { earlierAttempts = max(earlierAttempts, most) }
    (mostAttempts, isOnce) = (request.mostAttempts, request.isOnce)
    if isExhausted { (ending, work) = (.failed(.unknown), nil) }
  }

  /// Whether it is begun again because it has failed.
  func isTriedAgain(after ending: StepEnding) -> Bool {
    guard case .failed(let error) = ending, error.mayPass, !isOnce, let mostAttempts else { return false }
    return attempts < mostAttempts
  }
}

/// How a step is undone.
package enum Undo: Sendable, Hashable {
  /// The script does it.
  case byScript
  /// The words of a command, which no shell reads.
  case words([String])
  /// A command of the shell, from a run that was begun before steps were undone by words.
  case command(String)
}

/// How something that was done has ended.
package enum StepEnding: Sendable, Hashable {
  case done(JSONValue)
  case failed(StepError)
}

/// Why a step has failed, as the script hears it.
package struct StepError: Error, Sendable, Hashable {
  /// The type of the error.
  package var type: String
  package var message: String
  /// What else a command of the shell has left: `status` and `output`.
  package var rest: [String: JSONValue] = [:]

  /// Creates an error.
  package init(type: String, message: String, rest: [String: JSONValue] = [:]) {
    (self.type, self.message, self.rest) = (type, message, rest)
  }

  /// The type of an error that says: it was done, but has no result, or none that can be recorded.
  package static let noResultType = "no-result"
  /// The same of a result that is too long.
  package static let tooLongType = "too-long"

  /// Whether it was done, or may have been.
  var mayBeDone: Bool { [Self.unknown.type, Self.noResultType, Self.tooLongType].contains { type.bytes.equals($0) } }

  /// Whether another attempt may have another outcome.
  var mayPass: Bool { !mayBeDone && !type.bytes.equals(Self.secretSpent.type) }

  /// It is not known whether a step was done that must not be done twice.
  static let unknown = StepError(type: "Unknown", message: "It is not known whether this was done.")
  /// A secret was used later than in the first step after its form.
  static let secretSpent = StepError(
    type: "SecretSpent", message: "A secret can be used only in the first step after its form; ask for it again.")
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
  /// How long it takes, in microseconds; nil if the script has named the time.
  package var duration: UInt64?
  package var isOver = false
}

/// What the user has answered.
package enum RecordedAnswer: Sendable, Hashable {
  /// An event that the screen offers. In the payload, secrets are `{"secret": true}`.
  case event(String, [String: JSONValue])
  /// Nobody has answered in time.
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

  /// Whether it has not ended.
  package var isOpen: Bool {
    switch body {
    case .ask(let ask): ask.answer == nil
    case .step(let step): step.ending == nil
    case .child(let child): child.ending == nil
    case .timer(let timer): !timer.isOver
    case .value, .patch: false
    }
  }

  /// Whether something was done that cannot be taken back by asking again. What was begun counts, unless it has failed.
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

  /// Whether Back does not lead over it: what cannot be taken back, and what may soon be.
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
