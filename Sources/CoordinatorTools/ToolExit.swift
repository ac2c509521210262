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
  /// The command line makes no sense (`EX_USAGE`).
  case usage = 64
  /// It was interrupted with Ctrl-C.
  case interrupted = 130

  /// The exit codes, for the end of a help text.
  public static let help = """
    EXIT CODES
      0    it worked; of a flow that was waited for: finished
      1    it did not work, or the daemon refused it
      2    there is no bus, or no coordinatord on it
      3    the flow that was waited for was cancelled
      4    the flow that was waited for has failed
      5    the answers file has no answer for a screen
      64   the command line makes no sense
      130  interrupted with Ctrl-C
    """
}
