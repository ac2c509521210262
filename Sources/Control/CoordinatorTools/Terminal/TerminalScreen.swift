import Glibc

/// What the standard streams of this process are connected to.
public struct TerminalScreen: Sendable, Hashable {
  /// What there is to write to.
  public var kind: LinearTerminal.Kind
  /// How lines may look there.
  public var style: TextStyle

  /// Looks at the streams.
  ///
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - output: The descriptor that is written to.
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
