import CoordinatorClient

extension FlowEnd {
  /// The lines to show to users when a flow has ended.
  public var lines: [String] {
    switch self {
    case .finished(let result):
      ["The flow has finished."] + result.sorted { $0.key < $1.key }.map { "  \($0.key.printable): \($0.value.plainText)" }
    case .cancelled: ["The flow was cancelled."]
    case .stopped: ["coordinatord was stopped, and the flow has ended with it."]
    case .failed(let code, let message): ["The flow has failed (\(code.printable)): \(message.printable)"]
    case .lost: ["The flow is gone; its outcome is no longer known."]
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
