import CoordinatorClient
import Languages

extension FlowEnd {
  /// The sentence that says how a flow has ended.
  public var sentence: String {
    switch self {
    case .finished: Text("The flow has finished.").string
    case .cancelled: Text("The flow was cancelled.").string
    case .stopped: Text("The program that runs the flow was stopped, and the flow has ended with it.").string
    case .failed(let code, let message):
      Text("The flow has failed ({code}): {message}", ["code": code.printable, "message": message.printable]).string
    case .lost: Text("The flow is gone; its outcome is no longer known.").string
    }
  }

  /// The sentence, and the result by the names of its members, as scripts know them. People read ``EndSummary/lines``.
  public var lines: [String] {
    guard case .finished(let result) = self else { return [sentence] }
    return [sentence] + result.sorted { $0.key < $1.key }.map { "  \($0.key.printable): \($0.value.plainText)" }
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
