import CoordinatorKit

/// Decides for the flows that a provider starts as children, but does not serve: a menu of all actions of a child on its
/// parent.
struct StandIn {
  /// The result with which the child finishes.
  let result: [String: JSONValue]

  /// The event that it passes to its parent.
  static let passed = "x-provider-trial-pass"

  /// Returns the decision about an event.
  func decide(_ question: FlowQuestion) -> FlowAnswer {
    switch question.event {
    case .start:
      let actions = ["finish", "fail", "cancel", "tell", Self.passed].map { Action($0, verbatim: $0, role: .primary) }
      let screen = Screen.menu("stand-in", title: Text(verbatim: "A flow of another provider"), choices: actions)
      return .decided(
        FlowDecision(
          state: "", operations: [.present(key: "stand-in", as: nil, animated: true)],
          screens: ["stand-in": DescribedScreen(screen)]))
    case .event("finish", _, _, _): return .decided(FlowDecision(state: "", operations: [.finish(result, secrets: [:])]))
    case .event("fail", _, _, _): return .failed(Failure(code: "stand-in", message: "the trial lets this child fail"))
    case .event("cancel", _, _, _): return .decided(FlowDecision(state: "", operations: [.cancel]))
    case .event("tell", _, _, _): return .decided(FlowDecision(state: "", operations: [.emit(.object([:]), secrets: [:])]))
    case .event, .fromChild, .script: return .notTaken
    default: return .decided(FlowDecision(state: question.state))
    }
  }
}
