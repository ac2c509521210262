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
    let isInput = isatty(STDIN_FILENO) == 1
    let isOutput = isatty(output) == 1
    style = TextStyle(environment: environment, isTerminal: isOutput)
    if !isInput {
      kind = .pipe
    } else {
      kind = isOutput && TextStyle.understandsEscapes(environment) ? .smart : .dumb
    }
  }
}
