import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

/// A run in the process of a host. May be used from any thread.
final class HostedRun: ScriptRun {
  private struct State: Sendable {
    /// The steps that this run has performed or performs.
    var performed: Set<Int> = []
    /// The steps and undos under way.
    var underWay: Set<Int> = []
    /// The operations that await their answers.
    var open: Set<Int> = []
    /// Whether the script continues without an answer to its last operation.
    var isFollowed = false
    /// Whether the script has reported its end.
    var hasEnded = false
    var terminations = StepTerminations()
    var isStopped = false

    var isExecuting: Bool { !underWay.isEmpty || !hasEnded && !isStopped && (open.isEmpty || isFollowed) }
  }

  let number: UInt64
  let inbox = RunInbox()
  let departure = Departure()
  /// The coordinator's instance.
  let instance: String
  private let host: ScriptHost
  private let state = Lock(State())

  init(_ number: UInt64, of instance: String, in host: ScriptHost) {
    (self.number, self.instance, self.host) = (number, instance, host)
  }

  /// Whether the host executes code of this run, its script or a step, as far as is known.
  var isExecuting: Bool { state.withLock(\.isExecuting) }

  /// Whether a step of this run is being performed or undone.
  var isDoingStep: Bool { state.withLock { !$0.underWay.isEmpty } }

  /// Handles a message of the run.
  func take(_ message: ScriptMessage) {
    state.withLock { state in
      switch message {
      case .operation(let operation, let entry):
        state.open.insert(entry)
        state.isFollowed = operation.isFollowed
      case .done(_, let entry), .failed(_, let entry):
        state.underWay.remove(entry)
        state.terminations.stepHasEnded(entry)
      case .end, .crash: state.hasEnded = true
      case .progress: break
      }
    }
    inbox.add(.message(message))
  }

  func tell(_ reply: RunReply, entry: Int) -> Bool {
    var message: [String: JSONValue] = ["run": .integer(Int64(number)), "entry": .integer(Int64(entry))]
    switch reply {
    case .recorded(let recorded):
      let isOwn = state.withLock { state in
        state.open.remove(entry)
        return state.performed.contains(entry)
      }
      message.merge(isOwn ? ["recorded": true] : recorded.reply) { $1 }
    case .patched(let isPatched):
      state.withLock { _ = $0.open.remove(entry) }
      message["result"] = .boolean(isPatched)
    case .go(let key, let attempt, let isCounted, let secrets):
      guard begin(entry, isUndo: false) else { return false }
      if isCounted { message["counted"] = true }
      guard go(message, key, attempt, secrets) else { return false }
      return state.withLock { $0.terminations.stepHasBegun(entry) } ? terminate(entry) : true
    case .undo(let key):
      guard begin(entry, isUndo: true) else { return false }
      message["undo"] = true
      message["key"] = .string(key)
    case .terminate: return state.withLock { $0.terminations.order(entry) } ? terminate(entry) : true
    }
    return host.send(.object(message))
  }

  private func terminate(_ entry: Int) -> Bool {
    host.send(["run": .integer(Int64(number)), "entry": .integer(Int64(entry)), "terminate": true])
  }

  /// Records that a step is under way; returns false if the run was stopped.
  private func begin(_ entry: Int, isUndo: Bool) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      if !isUndo { state.performed.insert(entry) }
      state.underWay.insert(entry)
      return true
    }
  }

  private func go(
    _ message: [String: JSONValue], _ key: String, _ attempt: UInt64, _ secrets: [(name: String, value: Secret)]
  ) -> Bool {
    var message = message
    message["go"] = true
    message["key"] = .string(key)
    message["attempt"] = .integer(Int64(clamping: attempt))
    let pipes = secrets.compactMap { SecretPipe($0.value) }
    guard pipes.count == secrets.count else { return false }
    if !secrets.isEmpty { message["secrets"] = .array(secrets.map { .string($0.name) }) }
    return withExtendedLifetime(pipes) { host.send(.object(message), descriptors: pipes.map(\.reading)) }
  }

  func stop(_ reason: StopReason) {
    let isIdle = state.withLock { state in
      state.isStopped = true
      return state.underWay.isEmpty
    }
    // A thread cannot be ended: it completes what it does.
    if isIdle { departure.come() }
    host.send(["run": .integer(Int64(number)), "stop": .string(reason.rawValue)])
    host.forget(self)
    inbox.add(.ended(problem: nil))
  }
}

/// One execution of a script, from its first line. May be used from any thread.
protocol ScriptRun: AnyObject, Sendable {
  /// The number of the run; this program never reuses it.
  var number: UInt64 { get }
  /// The events of the run.
  var inbox: RunInbox { get }

  /// Answers an operation.
  ///
  /// - Parameters:
  ///   - reply: the answer.
  ///   - entry: the index of the operation's entry.
  /// - Returns: whether the operation waits for it, as far as is known.
  @discardableResult
  func tell(_ reply: RunReply, entry: Int) -> Bool

  /// Ends the run. Does nothing if it has ended.
  func stop(_ reason: StopReason)

  /// Emits when, after the run was stopped or has ended, no process of it is left that could still perform a step.
  var departure: Departure { get }
}

/// A message to a run.
enum RunReply: Sendable {
  /// The operation's entry is recorded.
  case recorded(LogEntry)
  case patched(Bool)
  /// The step or the look is to be performed: for one attempt only, if the engine counts attempts.
  case go(key: String, attempt: UInt64, isCounted: Bool, secrets: [(name: String, value: Secret)])
  /// The step is to be undone.
  case undo(key: String)
  /// The step or the look under way is to end, because the user has stopped it.
  case terminate
}

/// The steps of a run that the user has stopped, and those that the script performs, so that an order to stop reaches the
/// script after the order to begin.
struct StepTerminations: Sendable {
  private var ordered: Set<Int> = []
  private var begun: Set<Int> = []

  /// Records that the engine has told the script to begin a step.
  ///
  /// - Parameter entry: the index of the step's entry.
  /// - Returns: whether the engine has to tell the script now that the step was stopped.
  mutating func stepHasBegun(_ entry: Int) -> Bool {
    begun.insert(entry)
    return ordered.contains(entry)
  }

  /// Records that an attempt of a step has ended.
  mutating func stepHasEnded(_ entry: Int) { begun.remove(entry) }

  /// Records that the user has stopped a step.
  ///
  /// - Parameter entry: the index of the step's entry.
  /// - Returns: whether the engine has to tell the script now; otherwise, it does so when the step begins.
  mutating func order(_ entry: Int) -> Bool {
    ordered.insert(entry)
    return begun.contains(entry)
  }
}

/// The reason why a run is stopped.
enum StopReason: String, Sendable {
  case back, cancelled, finished, evicted, changed, held
}

/// An event of a run.
enum RunEvent: Sendable, Hashable {
  case message(ScriptMessage)
  /// The process has ended. `problem` is its last output if it has failed; otherwise nil, and `operations` is the number of its
  /// operations, including replayed ones, if known. If another run in the same process may have caused the end, `isOwn` is
  /// false, and the event says nothing about this run.
  case ended(problem: String?, operations: Int? = nil, isOwn: Bool = true)
}

extension RunEvent {
  /// Whether it is the last event.
  var isEnd: Bool {
    switch self {
    case .message(.end), .message(.crash), .ended: true
    case .message: false
    }
  }

  /// Whether it is about a step that is being performed.
  var isAboutStep: Bool {
    switch self {
    case .message(.done), .message(.failed), .message(.progress): true
    case .message, .ended: false
    }
  }
}
