import CoordinatorKit

/// How a flow ended, as its client learns it.
public enum FlowEnd: Sendable, Hashable {
  /// It did what it is for, with this result.
  case finished([String: JSONValue])
  /// It was left or dismissed.
  case cancelled
  /// The daemon was stopped, and keeps no flows.
  case stopped
  /// It could not go on; `code` is stable.
  case failed(code: String, message: String)
  /// The daemon does not know it: it lost its state, or forgot the outcome.
  case lost

  /// Reads what RunFlow and GetOutcome answer: nil for "active", and for a word that the contract does not know.
  ///
  /// - Parameters:
  ///   - outcome: The outcome in one word.
  ///   - result: What came with it.
  public init?(outcome: String, result: [String: JSONValue]) {
    switch outcome {
    case "finished": self = .finished(result)
    case "cancelled": self = result["reason"]?.string == "stopped" ? .stopped : .cancelled
    case "failed": self = .failed(code: result["code"]?.string ?? "", message: result["message"]?.string ?? "")
    default: return nil
    }
  }

  /// The end in one word: "finished", "cancelled", "stopped", "failed" or "lost".
  public var name: String {
    switch self {
    case .finished: "finished"
    case .cancelled: "cancelled"
    case .stopped: "stopped"
    case .failed: "failed"
    case .lost: "lost"
    }
  }

  /// What came with the outcome, as it stands on the bus.
  public var result: [String: JSONValue] {
    switch self {
    case .finished(let result): result
    case .failed(let code, let message): ["code": .string(code), "message": .string(message)]
    case .cancelled, .stopped, .lost: [:]
    }
  }
}
