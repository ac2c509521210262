import CoordinatorClient
import Languages

extension FlowEnd {
  /// The sentence about the end of a flow, for people.
  public var sentence: String {
    switch self {
    case .finished: Text("The flow has finished.").string
    case .cancelled: Text("The flow was cancelled.").string
    case .stopped: Text("The program that runs the flow was stopped, and the flow has ended with it.").string
    case .failed(let code, _, isTechnical: true): Self.sentence(ofFailure: code)
    case .failed(let code, let message, _):
      Text("The flow has failed ({code}): {message}", ["code": code.printable, "message": message.printable]).string
    case .lost: Text("The flow is gone; its outcome is no longer known.").string
    }
  }

  /// Returns the sentence for people that states only the failure of a flow.
  static func sentence(ofFailure code: String) -> String {
    Text("The flow has failed ({code}).", ["code": code.printable]).string
  }

  /// The sentence, and the result by the names of its members, as scripts know them, or the reason of the failure. For people,
  /// see ``EndSummary/lines``.
  public var lines: [String] {
    switch self {
    case .finished(let result):
      [sentence] + result.sorted { $0.key < $1.key }.map { "  \($0.key.printable): \($0.value.plainText)" }
    case .failed(_, let message, isTechnical: true): [sentence, "  \(message.printable)"]
    case .failed, .cancelled, .stopped, .lost: [sentence]
    }
  }

  /// The exit code of a tool that has followed a flow to its end.
  public var exitCode: ToolExit {
    switch self {
    case .finished: .success
    case .cancelled: .cancelled
    case .stopped: .noDaemon
    case .failed: .failed
    case .lost: .error
    }
  }
}
