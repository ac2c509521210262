import CoordinatorKit

/// A problem of a flow, with the shortest path to it.
///
/// Prints as `select-visit-type ▸ sick ▸ select-pain-level ▸ none ▸ faking-it: nobody takes "is-fake"`.
public struct FlowProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  public enum Kind: Sendable, Hashable {
    /// The flow does not start.
    case doesNotStart(CallError)
    /// A coordinator of the given flow fails.
    case fails(flow: String, Failure)
    /// A screen offers an event that no coordinator takes.
    case nobodyTakes(screen: String, event: String)
    /// A screen offers an event that is always refused, with the first refusal.
    case isAlwaysRefused(screen: String, event: String, CallError)
    /// A screen has a form that the explorer cannot fill in; the test must supply answers.
    case isNeverTried(screen: String, event: String)
    /// No move is possible and no work runs. The screen is nil if none is shown.
    case isDeadEnd(screen: String?)
    /// A list has an action with the id `select`, which stands for the choice of a row.
    case hasAmbiguousChoice(screen: String)
    /// A screen offers Back, but Back fails with an error that is not a refusal.
    case backIsRefused(screen: String, CallError)
    /// A screen does not offer Back, but the flow accepts it.
    case backIsTaken(screen: String)
    /// A client cannot cancel the flow while this screen is on top.
    case cancelIsRefused(screen: String, CallError)
    /// The flow has ended, but part of it remains.
    case leavesBehind(String)
    /// A piece of work of this flow does not end in time.
    case workDoesNotEnd(flow: String)
    /// The end of work of this flow sets off an endless exchange between coordinators, so that its coordinator is held.
    case isHeld(flow: String, String)
    /// Repeating the same moves leads to a different state.
    case isNotRepeatable
    /// A restart of the daemon in this state would end the flow or change what it shows; the text describes how.
    case doesNotSurviveRestart(String)
    /// An expected screen is never on top.
    case isUnreachable(screen: String)
    /// A screen is shown that is not expected.
    case isUnexpected(screen: String)
    /// A route of this flow is never on top.
    case routeIsUnreachable(flow: String, route: String)
    /// A coordinator takes an event that should be left to the parent.
    case isNotLeftToParent(event: String)
    /// An answer given by the test never fits the form of its screen; the reasons are keyed by field.
    case answerDoesNotFit(screen: String, [String: String])
    /// A name given by the test never occurs.
    case neverComesUp(String, in: Parameter)
    /// There are more states than the explorer was allowed to visit.
    case isIncomplete(states: Int)
    /// Something keeps growing, which may be why the explorer has reached its limit; the text says what.
    case growsWithoutEnd(String)
  }

  /// The parameters in which a test names what it expects.
  public enum Parameter: String, Sendable, Hashable, CaseIterable {
    /// The screens for which ``FlowExplorer/answers`` are given.
    case answers
    /// The events that are left to the parent.
    case leavingToParent
    /// The codes of the failures that are expected.
    case failing
    /// The screens on which the flow may refuse to be cancelled.
    case refusingCancel

    /// What the parameter contains.
    fileprivate var contents: String {
      switch self {
      case .answers: "the names of screens with forms"
      case .leavingToParent: "the names of events"
      case .failing: "the codes of failures"
      case .refusingCancel: "the names of screens"
      }
    }
  }

  /// The kind of problem.
  public let kind: Kind
  /// The screens and the moves on them, alternating, from the start; empty if the problem does not occur at a certain
  /// place.
  public let path: [String]

  /// The path to the problem, and a description of it.
  public var description: String { path.isEmpty ? kind.text : "\(path.joined(separator: " ▸ ")): \(kind.text)" }
}

/// All problems of a flow, as thrown by
/// ``FlowWalk/expect(screens:leavingToParent:failing:refusingCancel:completely:)``.
public struct FlowProblems: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the flow.
  public let flow: String
  /// The problems; never empty.
  public let problems: [FlowProblem]

  /// The problems, one per line.
  public var description: String {
    let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
    return (["\(flow) has \(count):"] + problems.map { "- \($0)" }).joined(separator: "\n")
  }
}

extension FlowProblem.Kind {
  fileprivate var text: String {
    switch self {
    case .doesNotStart(let error): "does not start: \(error.text)"
    case .fails(let flow, let failure): "\(flow) fails with \"\(failure.code)\": \(failure.message)"
    case .nobodyTakes(_, let event): "no coordinator handles \"\(event)\""
    case .isAlwaysRefused(_, let event, let error): "\"\(event)\" is always refused: \(error.text)"
    case .isNeverTried(_, let event): "no values are known for \"\(event)\"; give values for the screen in `answers`"
    case .isDeadEnd(let screen?): "\(screen) is a dead end: it offers nothing, and no work is running"
    case .isDeadEnd(nil): "a dead end: no screen is shown, and no work is running"
    case .hasAmbiguousChoice(let screen): "\(screen) is a list, and has an action with the id \"select\""
    case .backIsRefused(_, let error): "Back is offered, but refused: \(error.text)"
    case .backIsTaken: "Back is not offered, but accepted"
    case .cancelIsRefused(let screen, let error):
      "the flow cannot be cancelled: \(error.text) (if that is meant: `refusingCancel: [\"\(screen)\"]`)"
    case .leavesBehind(let what): "the flow has ended, but left \(what) behind"
    case .workDoesNotEnd(let flow): "work of \(flow) does not end"
    case .isHeld(let flow, let reason): "the end of work holds \(flow): \(reason)"
    case .isNotRepeatable: "repeating the same moves leads to a different state"
    case .doesNotSurviveRestart(let loss): "after a restart \(loss)"
    case .isUnreachable(let screen): "the screen \(screen) is unreachable"
    case .isUnexpected(let screen): "the screen \(screen) is not expected"
    case .routeIsUnreachable(let flow, let route): "the route \(route) of \(flow) is unreachable"
    case .isNotLeftToParent(let event): "\"\(event)\" is handled instead of being left to the parent"
    case .answerDoesNotFit(let screen, let reasons): "an answer given for \(screen) is not valid: \(reasons.text)"
    case .neverComesUp(let name, let parameter):
      "\"\(name)\" never comes up; `\(parameter.rawValue)` takes \(parameter.contents)"
    case .isIncomplete(let states):
      "there are more than the \(states) states that were visited; raise `maxStates`, or expect it with `completely: false`"
    case .growsWithoutEnd(let growth): growth
    }
  }
}

extension CallError {
  /// A description of the error for authors of flows.
  fileprivate var text: String {
    switch self {
    case .refused(.denied(let reason)), .refused(.limitExceeded(let reason)), .refused(.notDismissable(let reason)): reason
    case .refused(.invalidPayload(let reasons)), .refused(.invalidInput(let reasons)), .invalidPayload(let reasons): reasons.text
    case .refused(.unknownFlow(let flow)): "there is no flow \(flow)"
    case .failed(let failure): "\(failure.code): \(failure.message)"
    default: String(describing: self)
    }
  }
}

extension [String: String] {
  /// The reasons by field, on one line.
  fileprivate var text: String { sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
}
