/// What the tools exit with.
public enum ToolExit: Int32, Sendable, Hashable, CaseIterable {
  /// It worked; of a flow: it has finished.
  case success = 0
  /// It did not work, or the daemon refused it.
  case error = 1
  /// There is no bus, or no daemon on it.
  case noDaemon = 2
  /// The flow was cancelled.
  case cancelled = 3
  /// The flow has failed.
  case failed = 4
  /// The answers file has no answer for a screen.
  case missingAnswer = 5
  /// The flow that was to be started had ended before, by the same token.
  case alreadyEnded = 6
  /// The command line makes no sense (`EX_USAGE`).
  case usage = 64
  /// It was interrupted with Ctrl-C.
  case interrupted = 130

  /// What it means, in half a line.
  public var meaning: String {
    switch self {
    case .success: "it worked; of a flow that was waited for: finished"
    case .error: "it did not work, or the daemon refused it"
    case .noDaemon: "there is no bus, or no coordinatord on it"
    case .cancelled: "the flow that was waited for was cancelled"
    case .failed: "the flow that was waited for has failed"
    case .missingAnswer: "the answers file has no answer for a screen"
    case .alreadyEnded: "the flow of that token had ended before, and was not started again"
    case .usage: "the command line makes no sense"
    case .interrupted: "interrupted with Ctrl-C"
    }
  }

  /// The exit codes of a tool, for the end of its help text.
  public static func help(_ exits: [ToolExit]) -> String {
    let lines = exits.map { exit in
      let code = "\(exit.rawValue)"
      return "  \(code)\(String(repeating: " ", count: 5 - code.count))\(exit.meaning)"
    }
    return (["EXIT CODES"] + lines).joined(separator: "\n")
  }
}
