import ArgumentParser
import ControlTool

/// The `coordinatorctl forget` command.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Forget how the flow of a token ended, so that the token starts a flow again.",
    discussion: """
      A token refers to its flow even after the flow has ended; a start with this token then starts nothing. Once the token is \
      forgotten, it can start any flow. The history keeps what happened. Forgetting a token that is not known does nothing; a \
      flow that is still running is refused with exit code 1.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The token.", completion: .tokens)
  var token: String

  func run() async throws {
    try await global.perform { session in
      try await ForgetToken(session).run(token)
      return .success
    }
  }
}
