import CoordinatorKit
import Forms
import ScriptEngine

/// A flow and the children that it waits for, played without a daemon. A value: to play on from a place in two ways, copy
/// it.
package struct PlayedTree: Sendable {
  /// The coordinators, the root first; each other one is a child of the one before it.
  package var flows: [PlayedFlow]
  /// The time, which stands still unless a timer goes off, in microseconds since 1970.
  package var now: UInt64
  /// How the root has ended; nil if it has not.
  package var outcome: Outcome?
  /// How many events there were.
  package var turn: UInt64 = 0
  /// The coordinators that have ended, each as it was before its last event.
  package var endings: [PlayedEnding] = []
  var lastScreen: UInt64 = 0
  var lastChild = 1

  /// What the flow waits for.
  package enum Pending: Sendable {
    /// An answer to the question with this key.
    case question(flow: Int, key: String)
    case work(flow: Int, PlayedWork)
    case child(flow: Int, PlayedChild)
    case timer(flow: Int, key: String, due: UInt64)
    /// Nothing that could happen.
    case nothing
    case ended(Outcome)
  }

  /// What the flow waits for: work first, then answers, then timers.
  package var pending: Pending {
    if let outcome { return .ended(outcome) }
    for (index, flow) in flows.enumerated().reversed() {
      if let work = flow.work.first { return .work(flow: index, work) }
      if let child = flow.children.first(where: { !$0.isPlayed }) { return .child(flow: index, child) }
    }
    guard let last = flows.indices.last else { return .nothing }
    if let key = flows[last].openQuestion { return .question(flow: last, key: key) }
    let timers = flows.enumerated().flatMap { index, flow in flow.timers.map { (index, $0.key, $0.value) } }
    guard let next = timers.min(by: { ($0.2, $0.1) < ($1.2, $1.1) }) else { return .nothing }
    return .timer(flow: next.0, key: next.1, due: next.2)
  }
}

/// A coordinator that has ended.
package struct PlayedEnding: Sendable {
  /// The coordinator before its last event.
  package let flow: PlayedFlow
  package let event: FlowQuestion.Event
  package let outcome: Outcome

  /// The log with what the last event has told; nil if it has ended the flow by itself.
  package var log: ScriptLog? { flow.log(after: event) }
}

/// Why a script cannot be played on.
package enum PlayProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The script has a mistake, or does not fit its log. Nothing has changed.
  case script(String)
  /// The event was refused. Nothing has changed.
  case refused(String)
  /// There is no script of this name.
  case noScript(String)

  package var description: String {
    switch self {
    case .script(let text), .refused(let text): text
    case .noScript(let name): "there is no script for the flow \(name) beside this one"
    }
  }
}
