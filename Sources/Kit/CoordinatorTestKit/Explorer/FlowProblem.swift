import CoordinatorKit

/// Something that is wrong with a flow, and the shortest way to where it shows.
///
/// Prints as `select-visit-type ▸ sick ▸ select-pain-level ▸ none ▸ faking-it: nobody takes "is-fake"`.
public struct FlowProblem: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Kind: Sendable, Hashable {
    /// The flow does not start.
    case doesNotStart(CallError)
    /// A coordinator of this flow fails.
    case fails(flow: String, Failure)
    /// A screen offers an event that no coordinator takes.
    case nobodyTakes(screen: String, event: String)
    /// A screen offers an event that is refused each time; why it was the first time.
    case isAlwaysRefused(screen: String, event: String, CallError)
    /// A screen has a form, and nobody knows what to fill in: the test has to give answers.
    case isNeverTried(screen: String, event: String)
    /// Nothing can be done here, and nothing goes on; nil if no screen is shown either.
    case isDeadEnd(screen: String?)
    /// Two items, or two actions, of one screen have the same id.
    case hasTwoOfOneID(screen: String, id: String)
    /// A screen says that it can be left by Back, and Back is answered with what is no refusal.
    case backIsRefused(screen: String, CallError)
    /// A screen says that it cannot be left by Back, and the flow takes it.
    case backIsTaken(screen: String)
    /// The flow cannot be dismissed while this screen is on top.
    case dismissIsRefused(screen: String, CallError)
    /// The flow has ended, and something of it is still there.
    case leavesBehind(String)
    /// A piece of work of this flow does not end in time.
    case workDoesNotEnd(flow: String)
    /// The same moves lead elsewhere when they are made once more.
    case isNotRepeatable
    /// A restart of the daemon would end the flow here, or show something else; what is wrong then.
    case doesNotSurviveRestart(String)
    /// A screen that the flow is to have is never on top.
    case isUnreachable(screen: String)
    /// A screen is shown that the flow is not to have.
    case isUnexpected(screen: String)
    /// A route of this flow is never on top.
    case routeIsUnreachable(flow: String, route: String)
    /// An event that was to be left to the parent is taken.
    case isNotLeftToParent(event: String)
    /// An answer that the test gives for a screen never fits its form: reasons by field.
    case answerDoesNotFit(screen: String, [String: String])
    /// What the test says of this name is of no use, since it never comes up.
    case neverComesUp(String)
    /// There are more states than the explorer was allowed to visit.
    case isIncomplete(states: Int)
  }

  /// What is wrong.
  public let kind: Kind
  /// The screens and what is done on them, in turns, from the start; empty if the problem shows nowhere.
  public let path: [String]

  /// The way to the problem, and what it is.
  public var description: String { path.isEmpty ? kind.text : "\(path.joined(separator: " ▸ ")): \(kind.text)" }
}

/// All that is wrong with a flow; what ``FlowWalk/expect(screens:leavingToParent:failing:refusingDismiss:completely:)`` throws.
public struct FlowProblems: Error, Sendable, Hashable, CustomStringConvertible {
  /// The flow.
  public let flow: String
  /// What is wrong with it, never nothing.
  public let problems: [FlowProblem]

  /// One line per problem.
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
    case .nobodyTakes(_, let event): "nobody takes \"\(event)\""
    case .isAlwaysRefused(_, let event, let error): "\"\(event)\" is always refused: \(error.text)"
    case .isNeverTried(_, let event): "nothing is known to fill in for \"\(event)\"; give answers for the screen"
    case .isDeadEnd(let screen?): "nothing can be done on \(screen), and nothing goes on"
    case .isDeadEnd(nil): "nothing is shown, and nothing goes on"
    case .hasTwoOfOneID(let screen, let id): "\(screen) has two of the id \"\(id)\""
    case .backIsRefused(_, let error): "Back is offered, but answered with: \(error.text)"
    case .backIsTaken: "Back is not offered, but taken"
    case .dismissIsRefused(_, let error): "the flow cannot be dismissed: \(error.text)"
    case .leavesBehind(let what): "the flow has ended, and left \(what) behind"
    case .workDoesNotEnd(let flow): "work of \(flow) does not end"
    case .isNotRepeatable: "the same moves lead elsewhere when they are made again"
    case .doesNotSurviveRestart(let loss): "after a restart \(loss)"
    case .isUnreachable(let screen): "the screen \(screen) is unreachable"
    case .isUnexpected(let screen): "the screen \(screen) is not expected"
    case .routeIsUnreachable(let flow, let route): "the route \(route) of \(flow) is unreachable"
    case .isNotLeftToParent(let event): "\"\(event)\" is not left to the parent, but taken"
    case .answerDoesNotFit(let screen, let reasons): "an answer that is given for \(screen) does not fit: \(reasons.text)"
    case .neverComesUp(let name): "\"\(name)\" never comes up"
    case .isIncomplete(let states): "there is more to see than the \(states) states that were visited"
    }
  }
}

extension CallError {
  /// The error for people who write flows.
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
  /// Reasons by field, in a line.
  fileprivate var text: String { sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
}
