import CoordinatorKit

/// The end of a flow, as reported to its client.
public enum FlowEnd: Sendable, Hashable {
  /// The flow finished with this result.
  case finished([String: JSONValue])
  /// The flow was cancelled: its user left it, or a client dismissed it.
  case cancelled
  /// The daemon was stopped and does not persist flows.
  case stopped
  /// The flow failed; `code` is stable across versions. Do not show a technical message to people.
  case failed(code: String, message: String, isTechnical: Bool = false)
  /// The daemon does not know the flow: it lost its state, or no longer keeps the outcome.
  case lost

  /// Decodes the reply of RunFlow or GetOutcome. The result is nil for "active" and for any outcome that the contract
  /// does not define.
  ///
  /// - Parameters:
  ///   - outcome: name of the outcome in the contract.
  ///   - result: dictionary that accompanies the outcome.
  public init?(outcome: String, result: [String: JSONValue]) {
    switch OutcomeWord(rawValue: outcome) {
    case .finished: self = .finished(result)
    case .cancelled: self = result["reason"]?.string == "stopped" ? .stopped : .cancelled
    case .failed:
      self = .failed(
        code: result["code"]?.string ?? "", message: result["message"]?.string ?? "",
        isTechnical: result["technical"]?.boolean ?? false)
    case nil: return nil
    }
  }

  /// The name of the end: "finished", "cancelled", "stopped", "failed" or "lost".
  public var name: String {
    switch self {
    case .finished: OutcomeWord.finished.rawValue
    case .cancelled: OutcomeWord.cancelled.rawValue
    case .stopped: "stopped"
    case .failed: OutcomeWord.failed.rawValue
    case .lost: "lost"
    }
  }

  /// The dictionary that accompanies the outcome, as it is sent on the bus.
  public var result: [String: JSONValue] {
    switch self {
    case .finished(let result): result
    case .failed(let code, let message, let isTechnical):
      ["code": .string(code), "message": .string(message)].merging(isTechnical ? ["technical": true] : [:]) { $1 }
    case .cancelled, .stopped, .lost: [:]
    }
  }
}
