import CoordinatorKit
import Forms
import ScriptEngine

/// One execution of a script, from its first line. May be used from any thread.
protocol ScriptRun: AnyObject, Sendable {
  /// The number of the run; never used twice by this program.
  var number: UInt64 { get }
  /// What the script does.
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

  /// Emits when nothing of the run is left that could still do a step, after it was stopped or has ended.
  var departure: Departure { get }
}

/// What a run is told.
enum RunReply: Sendable {
  /// The operation's entry is recorded.
  case recorded(LogEntry)
  case patched(Bool)
  /// The step or the look is to be done: once, if its attempts are counted here.
  case go(key: String, attempt: UInt64, isCounted: Bool, secrets: [(name: String, value: Secret)])
  /// The step is to be undone.
  case undo(key: String)
}

/// Why a run is stopped.
enum StopReason: String, Sendable {
  case back, cancelled, finished, evicted, changed, held
}

/// What a run does.
enum RunEvent: Sendable, Hashable {
  case message(ScriptMessage)
  /// The process has ended; what it wrote last, if it did not end well. Otherwise, how many operations it has done,
  /// replayed ones included, as far as is known. It may have ended because of another run in it: then it is not `isOwn`,
  /// and nothing can be told about this run.
  case ended(problem: String?, operations: Int? = nil, isOwn: Bool = true)
}

extension RunEvent {
  /// Whether nothing follows it.
  var isEnd: Bool {
    switch self {
    case .message(.end), .message(.crash), .ended: true
    case .message: false
    }
  }

  /// Whether it tells of a step that is being done.
  var isAboutStep: Bool {
    switch self {
    case .message(.done), .message(.failed), .message(.progress): true
    case .message, .ended: false
    }
  }
}
