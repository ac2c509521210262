import CoordinatorKit

extension ContractError {
  /// Returns the error for a flow name that does not exist.
  public static func unknownFlow(named name: String) -> ContractError {
    .unknownFlow(message: "there is no flow '\(name)' in this daemon's catalogue")
  }

  /// Returns the error for an input that the flow does not accept, with a reason for each invalid key.
  public static func invalidInput(_ reasons: [String: String]) -> ContractError {
    .invalidInput(message: "the flow does not accept this input: \(summary(reasons))", reasons: reasons)
  }

  /// Returns the error for a token that belongs to another flow or another input.
  public static func tokenInUse(_ token: String) -> ContractError {
    .tokenInUse(message: "the token '\(token)' was already used with another flow or another input")
  }

  /// Returns the error for a screen id that never existed in this tree.
  public static func unknownScreen(_ id: UInt64) -> ContractError {
    .unknownScreen(message: "this flow tree never had a screen \(id)")
  }

  /// Returns the error for a screen that existed but cannot be acted on now.
  public static func staleScreen(_ id: UInt64, why: Staleness) -> ContractError {
    let reason =
      switch why {
      case .covered: "is covered by another screen"
      case .gone: "is gone"
      case .elsewhere: "belongs to another coordinator"
      case .changed: "has changed in the meantime"
      }
    return .staleScreen(message: "screen \(id) \(reason)", why: why)
  }

  /// Returns the error for an event that the screen does not offer now or that no coordinator takes.
  public static func unknownEvent(_ unknown: UnknownEvent) -> ContractError { .unknownEvent(message: unknown.description) }

  /// Returns the error for a coordinator that failed while it handled the call.
  public static func flowFailed(_ failure: Failure) -> ContractError {
    .flowFailed(
      message: "\(failure.code): \(failure.message)", code: failure.code, isTechnical: failure.isTechnical)
  }

  /// Returns the error for a tree that is held. `reason` is the value of its `Held` property.
  public static func held(because reason: String) -> ContractError { .held(message: "the flow is held: \(reason)") }

  /// Returns the error for a payload that violates the screen's schema, with a reason for each invalid field.
  public static func invalidPayload(_ reasons: [String: String]) -> ContractError {
    .invalidPayload(message: "the payload is not valid: \(summary(reasons))", reasons: reasons)
  }

  private static func summary(_ reasons: [String: String]) -> String {
    reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
  }
}
