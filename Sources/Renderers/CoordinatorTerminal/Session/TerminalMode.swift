import CoordinatorTools
import Glibc

/// How a flow is shown in a terminal.
public enum TerminalMode: Sendable, Hashable {
  /// As screens that fill the terminal.
  case fullScreen
  /// Line by line, from top to bottom.
  case linear

  /// Decides.
  ///
  /// - Parameters:
  ///   - environment: `ACCESSIBLE` wishes for lines, which can be read aloud, unless it is empty, `0`, `false` or `no`; a `TERM`
  ///     that is missing or `dumb` allows nothing else.
  ///   - isTerminal: Whether there is a terminal on both sides.
  ///   - wantsLinear: Whether lines were asked for.
  public init(environment: [String: String], isTerminal: Bool, wantsLinear: Bool) {
    let wish = (environment["ACCESSIBLE"] ?? "").lowercased()
    let isWished = !["", "0", "false", "no"].contains(wish)
    let isAble = isTerminal && TextStyle.understandsEscapes(environment)
    self = wantsLinear || isWished || !isAble ? .linear : .fullScreen
  }

  /// What suits the standard streams of this process.
  ///
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - wantsLinear: Whether lines were asked for.
  public init(environment: [String: String], wantsLinear: Bool) {
    let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    self.init(environment: environment, isTerminal: isTerminal, wantsLinear: wantsLinear)
  }
}
