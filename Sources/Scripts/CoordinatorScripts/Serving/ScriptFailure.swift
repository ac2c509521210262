import CoordinatorKit
import Platform
import ScriptEngine

/// Why a script has not continued, for its author and for administrators. The user only learns that it has not: renderers have
/// a sentence for that.
struct ScriptFailure: Sendable, Hashable {
  /// What is wrong, in one line.
  let reason: String
  /// Where the script was, as lines; empty if it has not reported it.
  let trace: [String]

  /// Describes an error.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - script: the script.
  init(_ error: any Error, of script: Script) {
    let crash = error as? ScriptCrash
    reason = error is HeldScript ? "\(error)" : "\(script.file): \(error)"
    trace = Self.lines(of: crash?.trace ?? "")
  }

  /// Describes the breakdown that has ended a flow.
  init(_ breakdown: Breakdown, of script: Script) {
    (reason, trace) = ("\(script.file): \(breakdown.code): \(breakdown.reason)", Self.lines(of: breakdown.trace))
  }

  private static func lines(of trace: String) -> [String] { trace.bytes.split(separator: "\n").map(String.init) }

  /// Creates a failure that has no trace.
  init(reason: String) { (self.reason, trace) = (reason, []) }

  /// The answer to the daemon, which passes the reason on to callers.
  var answer: FlowAnswer { .trouble(.failed(reason)) }
}

extension ScriptRuns {
  /// Reports a failure to authors and administrators, in the log and in the notes of a script. The only place that does.
  ///
  /// The daemon retries some events, and users repeat their answers: the same failure is reported once, and then counted, until
  /// the script continues.
  ///
  /// - Parameters:
  ///   - failure: the failure.
  ///   - path: the coordinator.
  func tell(_ failure: ScriptFailure, of path: CoordinatorPath) {
    switch notes.telling(failure.reason, of: path.description) {
    case .first: starter.failed(path.description, [failure.reason] + failure.trace)
    case .again(let count):
      starter.failed(path.description, ["\(failure.reason) (the same has failed \(count) times by now)"])
    case nil: break
    }
  }

  /// Reports a failure of a coordinator that is known by the name of its instance.
  func tell(_ reason: String, ofInstance name: String) {
    guard let instance = FlowInstance(name: name, flow: { _ in "" }) else { return }
    tell(ScriptFailure(reason: reason), of: instance.path)
  }
}

/// The last lines of output, which authors and administrators of scripts read, and their orders to drop an answer. May be used
/// from any thread.
package final class AuthorNotes: Sendable {
  private struct State: Sendable {
    /// The last lines by the name of their writer; `order` has the names, the most recent writer last.
    var lines: [String: [String]] = [:]
    var order: [String] = []
    /// The time until which the last answer of a coordinator may be dropped, by its path.
    var drops: [String: ContinuousClock.Instant] = [:]
  }

  /// The number of lines that are kept of each coordinator.
  private static let keptLines = 50
  /// The number of coordinators of which lines are kept.
  private static let keptCoordinators = 200
  /// How long an order waits for its event.
  private static let patience = Duration.seconds(30)

  private let state = Lock(State())
  /// The reported failures of coordinators, by their paths.
  private let failures = ToldFailures<String>(maxPlaces: AuthorNotes.keptCoordinators)

  init() {}

  /// Keeps a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - name: the path of a coordinator, or the name of a file whose flows share a process.
  func add(_ line: String, of name: String) {
    state.withLock { state in
      state.order.removeAll { $0 == name }
      state.order.append(name)
      state.lines[name] = (state.lines[name] ?? []).suffix(Self.keptLines - 1) + [line]
      guard state.order.count > Self.keptCoordinators else { return }
      state.lines[state.order.removeFirst()] = nil
    }
  }

  /// Returns the report of a coordinator's failure; nil if it was reported already.
  func telling(_ failure: String, of name: String) -> ToldFailures<String>.Telling? { failures.add(failure, of: name) }

  /// Records that a coordinator has continued: its next failure is reported.
  func hasGoneOn(_ name: String) { failures.forget { $0 == name } }

  /// The last lines of a coordinator or a file, oldest first.
  func lines(of name: String) -> [String] { state.withLock { $0.lines[name] ?? [] } }

  /// Drops the last answer of a coordinator at the next event for which no user waits.
  func drop(_ path: String) {
    state.withLock { state in
      state.drops = state.drops.filter { $0.value > .now }
      state.drops[path] = .now + Self.patience
    }
  }

  /// Returns whether an event is replaced by the order to drop the last answer. The event of a user never is.
  func takesDrop(instead question: FlowQuestion) -> Bool {
    switch question.event {
    case .script, .workEnded, .workInterrupted, .timer, .childEnded, .secretsGone, .migrate: break
    case .start, .event, .fromChild, .back, .output, .message, .language, .looking: return false
    }
    let path = question.instance.path.text
    return state.withLock { state in
      guard let end = state.drops.removeValue(forKey: path) else { return false }
      return end > .now
    }
  }
}

/// The faults of files, so that a file is not asked again, and each fault is reported once. May be used from any thread.
final class ScriptFaults: Sendable {
  private struct Fault: Sendable {
    var digest: String
    var error: UnreadableScript
    var isTold = false
  }

  private let faults = Lock<[String: Fault]>([:])
  /// The files that were too slow, which may be quicker next time.
  private let slow = Lock<Set<String>>([])

  /// Whether a file was too slow since the last call.
  func takeSlow() -> Bool {
    slow.withLock { slow in
      defer { slow = [] }
      return !slow.isEmpty
    }
  }

  /// Returns the fault of a file with this content; nil if unknown.
  func known(_ path: String, digest: String) -> UnreadableScript? {
    faults.withLock { faults in faults[path].flatMap { $0.digest == digest ? $0.error : nil } }
  }

  /// Records the fault of a file with this content.
  func remember(_ error: UnreadableScript, of path: String, digest: String) {
    if error.isSlow {
      slow.withLock { _ = $0.insert(path) }
    } else {
      faults.withLock { $0[path] = Fault(digest: digest, error: error) }
    }
  }

  /// Returns whether an error is to be reported: true only once.
  func isNew(_ error: UnreadableScript, of path: String) -> Bool {
    faults.withLock { faults in
      guard faults[path]?.error == error else { return true }
      defer { faults[path]?.isTold = true }
      return faults[path]?.isTold == false
    }
  }
}
