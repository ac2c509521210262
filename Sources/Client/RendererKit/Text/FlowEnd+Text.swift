import CoordinatorClient
import Languages

extension FlowEnd {
  /// The lines to show to users when a flow has ended.
  public var lines: [String] {
    switch self {
    case .finished(let result):
      [Text("The flow has finished.").string]
        + result.sorted { $0.key < $1.key }.map { "  \($0.key.printable): \($0.value.plainText)" }
    case .cancelled: [Text("The flow was cancelled.").string]
    case .stopped: [Text("coordinatord was stopped, and the flow has ended with it.").string]
    case .failed(let code, let message):
      [Text("The flow has failed ({code}): {message}", ["code": code.printable, "message": message.printable]).string]
    case .lost: [Text("The flow is gone; its outcome is no longer known.").string]
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
