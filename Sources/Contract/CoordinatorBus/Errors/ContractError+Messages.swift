import CoordinatorKit

extension ContractError {
  /// No flow has the given name.
  public static func unknownFlow(named name: String) -> ContractError {
    .unknownFlow(message: "there is no flow '\(name)': this daemon's catalogue lacks it")
  }

  /// The flow does not accept this input, for a reason of each key that is wrong.
  public static func invalidInput(_ reasons: [String: String]) -> ContractError {
    .invalidInput(message: "the flow does not accept this input: \(summary(reasons))", reasons: reasons)
  }

  /// The token belongs to another flow or another input.
  public static func tokenInUse(_ token: String) -> ContractError {
    .tokenInUse(message: "the token '\(token)' belongs to another flow or another input")
  }

  /// No screen ever had the given id in this tree.
  public static func unknownScreen(_ id: UInt64) -> ContractError {
    .unknownScreen(message: "there was never a screen \(id) in this flow tree")
  }

  /// A screen that was there, but cannot be acted on now.
  public static func staleScreen(_ id: UInt64, why: Staleness) -> ContractError {
    let reason =
      switch why {
      case .covered: "is covered by another one"
      case .gone: "is gone"
      case .elsewhere: "belongs to another coordinator"
      case .changed: "has changed since"
      }
    return .staleScreen(message: "screen \(id) \(reason)", why: why)
  }

  /// The screen does not offer that event now, or nobody takes it.
  public static func unknownEvent(_ unknown: UnknownEvent) -> ContractError { .unknownEvent(message: unknown.description) }

  /// A coordinator failed while it handled the call.
  public static func flowFailed(_ failure: Failure) -> ContractError {
    .flowFailed(message: "\(failure.code): \(failure.message)", code: failure.code)
  }

  /// No event reaches the flow's tree, for a reason that its property Held tells.
  public static func held(because reason: String) -> ContractError { .held(message: "the flow is held: \(reason)") }

  /// The payload breaks the screen's schema, for a reason of each field that is wrong.
  public static func invalidPayload(_ reasons: [String: String]) -> ContractError {
    .invalidPayload(message: "the payload is not valid: \(summary(reasons))", reasons: reasons)
  }

  private static func summary(_ reasons: [String: String]) -> String {
    reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
  }
}
