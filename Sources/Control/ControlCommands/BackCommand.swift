import ArgumentParser
import ControlTool

/// The `coordinatorctl back` command.
struct Back: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Go back from the screen on top.")
  @OptionGroup var global: GlobalOptions

  @Option(help: "Makes the call safe to repeat: 1 to 64 characters of [A-Za-z0-9_-].")
  var request: String?

  @OptionGroup var screen: ScreenOption

  @Argument(help: "The flow tree; may be omitted if there is only one.", completion: .trees)
  var flowTree: String?

  func run() async throws {
    try await global.perform { session in
      try await GoBack(session).run(flowTree, request: request, expected: SendGuard(screens: screen.screen))
      return .success
    }
  }
}
