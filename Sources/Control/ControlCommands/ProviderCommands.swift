import ArgumentParser
import ControlTool
import RendererKit

/// The `coordinatorctl providers` command.
struct Providers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the programs that serve flows.",
    discussion: """
      The state is 'running', 'activatable' (the bus starts the program when a flow needs it), 'away' (it is not running, and the \
      bus does not know how to start it) or 'failing'. Below each program are its provider file and what is wrong.
      """)
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try await global.perform { session in
      try await ListProviders(session).run()
      return .success
    }
  }
}

/// The `coordinatorctl provider` commands.
struct ProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider",
    abstract: "Retry what a provider has left held, or check provider files.",
    subcommands: [ProviderRetry.self, ProviderCheck.self])
}

/// The `coordinatorctl provider retry` command.
struct ProviderRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Retry what is held, as 'coordinatorctl retry' does.",
    discussion: """
      A coordinator is held if its provider could not decide about an event that no caller waits for. With COORDINATOR, the \
      command says whether that coordinator is still held, and exits with 1 if it is.
      """)
  @OptionGroup var global: GlobalOptions

  @Argument(help: "The flow tree, or the path of a child such as pets_1/schedule_visit_1; by default all.")
  var coordinator: String?

  func run() async throws {
    try await global.perform { session in try await RetryHeld(session).run(coordinator) }
  }
}

/// The `coordinatorctl provider check` command.
struct ProviderCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check provider files as the daemon does, without a daemon.",
    discussion: """
      Prints which flows each file gives to which bus name or, each with file and line, what is wrong; exits with 1 if anything is. \
      For the format, see coordinatord.provider(5).
      """)
  @OptionGroup var output: OutputOptions

  @Argument(help: "The provider files.", completion: .file(extensions: ["conf"]))
  var files: [String]

  func run() async throws {
    try await output.perform { output in CheckProviders(output: output).run(files) }
  }
}
