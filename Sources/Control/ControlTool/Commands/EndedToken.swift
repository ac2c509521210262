import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import RendererKit

/// A token whose flow has already ended, so that a command with this token starts nothing.
struct EndedToken: Sendable, Hashable {
  /// The token.
  var token: String
  /// The end of its flow.
  var end: FlowEnd

  /// The failure of a command that would start the flow, and has the option `--fresh`.
  var failure: ToolFailure { failure(isFreshKnown: true) }

  /// Returns the failure of a command that would start the flow.
  ///
  /// - Parameter isFreshKnown: whether the command has the option `--fresh`.
  /// - Returns: the failure, with advice.
  func failure(isFreshKnown: Bool) -> ToolFailure {
    let name = token.printable
    return ToolFailure(
      [
        "nothing was started: '\(name)' has already ended (\(end.name)), and its token still refers to it",
        "  to start a flow again, " + (isFreshKnown ? "repeat the command with --fresh, or " : "")
          + "run 'coordinatorctl forget \(name)', or use another token",
      ], exit: .alreadyEnded)
  }

  /// The same text for standard error, for a command that succeeds nevertheless.
  var warning: String { "coordinatorctl: " + failure.lines.map { $0 + "\n" }.joined() }
}

extension ToolSession {
  /// Returns the end of the flow that a call would otherwise start; nil if the call starts or joins a flow.
  ///
  /// - Parameter options: options of the call; `token` and `fresh` apply.
  /// - Returns: the token and the end.
  func endedToken(_ options: Options) async -> EndedToken? {
    guard let token = options.token, options.fresh != true, let end = await end(of: token) else { return nil }
    return EndedToken(token: token, end: end)
  }
}
