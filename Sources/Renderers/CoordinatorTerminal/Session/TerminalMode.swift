import Glibc
import Platform
import RendererKit

/// The mode in which a terminal shows a flow.
public enum TerminalMode: Sendable, Hashable {
  /// Screens that fill the terminal.
  case fullScreen
  /// Line by line, from top to bottom.
  case linear

  /// Selects the mode.
  ///
  /// - Parameters:
  ///   - environment: environment of the process. `ACCESSIBLE` requests the linear mode, which is suitable for screen
  ///     readers, unless it is empty, `0`, `false` or `no`. A missing or `dumb` `TERM` requires it.
  ///   - isTerminal: whether both input and output are terminals.
  ///   - wantsLinear: whether the linear mode is requested on the command line.
  public init(environment: [String: String], isTerminal: Bool, wantsLinear: Bool) {
    let wish = (environment["ACCESSIBLE"] ?? "").bytes.lowercased
    let isWished = !["", "0", "false", "no"].contains(wish)
    let isAble = isTerminal && TextStyle.understandsEscapes(environment)
    self = wantsLinear || isWished || !isAble ? .linear : .fullScreen
  }

  /// Selects the mode for the standard streams of this process.
  ///
  /// - Parameters:
  ///   - environment: environment of the process.
  ///   - wantsLinear: whether the linear mode is requested on the command line.
  public init(environment: [String: String], wantsLinear: Bool) {
    let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    self.init(environment: environment, isTerminal: isTerminal, wantsLinear: wantsLinear)
  }
}
