import Glibc
import RendererKit

/// The properties of what the standard streams of this process are connected to.
public struct TerminalScreen: Sendable, Hashable {
  /// The kind of the output.
  public var kind: LinearTerminal.Kind
  /// The style of lines on the output.
  public var style: TextStyle

  /// Examines the streams.
  ///
  /// - Parameters:
  ///   - environment: environment of the process.
  ///   - output: descriptor of the output.
  public init(environment: [String: String], output: Int32 = STDOUT_FILENO) {
    style = TextStyle(environment: environment, isTerminal: isatty(output) == 1)
    kind = isatty(STDIN_FILENO) == 1 ? .terminal : .pipe
  }
}
