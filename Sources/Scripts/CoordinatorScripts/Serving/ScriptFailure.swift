import CoordinatorKit
import Platform
import ScriptEngine

/// Why a script has not gone on, for its author and for administrators. The person who answers hears only that it has not:
/// renderers have a sentence for that.
struct ScriptFailure: Sendable, Hashable {
  /// What is wrong, in one line.
  let reason: String
  /// Where the script was, line by line, as far as it has said so.
  let trace: [String]

  /// Describes what was thrown.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - script: the script.
  init(_ error: any Error, of script: Script) {
    let crash = error as? ScriptCrash
    reason = error is HeldScript ? "\(error)" : "\(script.file): \(error)"
    trace = Self.lines(of: crash?.trace ?? "")
  }

  /// Describes what has ended a flow.
  init(_ breakdown: Breakdown, of script: Script) {
    (reason, trace) = ("\(script.file): \(breakdown.code): \(breakdown.reason)", Self.lines(of: breakdown.trace))
  }

  private static func lines(of trace: String) -> [String] { trace.bytes.split(separator: "\n").map(String.init) }

  /// Creates a failure that has no trace.
  init(reason: String) { (self.reason, trace) = (reason, []) }

  /// What the daemon is told: it answers callers with it.
  var answer: FlowAnswer { .trouble(.failed(reason)) }
}

extension ScriptRuns {
  /// Tells authors and administrators of a failure: in the log, and in what they read of a script. The only place that does.
  ///
  /// The daemon tries some events again, and people their answers: the same failure is told once, and then counted,
  /// until the script goes on.
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

  /// Does the same for a coordinator that is known by the name of its instance.
  func tell(_ reason: String, ofInstance name: String) {
    guard let instance = FlowInstance(name: name, flow: { _ in "" }) else { return }
    tell(ScriptFailure(reason: reason), of: instance.path)
  }
}
