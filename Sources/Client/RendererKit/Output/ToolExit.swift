/// The exit codes of the tools.
public enum ToolExit: Int32, Sendable, Hashable, CaseIterable {
  /// The command succeeded; the flow that it waited for has finished.
  case success = 0
  /// The command failed, or the daemon refused it.
  case error = 1
  /// There is no bus, or no daemon on it.
  case noDaemon = 2
  /// The flow was cancelled.
  case cancelled = 3
  /// The flow has failed.
  case failed = 4
  /// The answers file has no answer for a screen.
  case missingAnswer = 5
  /// The flow with the given token had already ended, so it was not started.
  case alreadyEnded = 6
  /// The command line is invalid (`EX_USAGE` in sysexits(3)).
  case usage = 64
  /// The command was interrupted with Ctrl-C (128 + `SIGINT`).
  case interrupted = 130

  /// The meaning of the exit code, as a phrase for help texts.
  public var meaning: String {
    switch self {
    case .success: "success; if the command waited for a flow, it finished"
    case .error: "the command failed, or the daemon refused it"
    case .noDaemon: "there is no bus, or no coordinatord on it"
    case .cancelled: "the flow was cancelled"
    case .failed: "the flow failed"
    case .missingAnswer: "the answers file has no answer for a screen"
    case .alreadyEnded: "the flow with this token had already ended, and was not started again"
    case .usage: "the command line is invalid"
    case .interrupted: "interrupted with Ctrl-C"
    }
  }

  /// Returns the section of a help text that lists exit codes.
  public static func help(_ exits: [ToolExit]) -> String {
    let lines = exits.map { exit in
      let code = "\(exit.rawValue)"
      return "  \(code)\(String(repeating: " ", count: 5 - code.count))\(exit.meaning)"
    }
    return (["EXIT CODES"] + lines).joined(separator: "\n")
  }
}
