import ArgumentParser
import ControlTool
import RendererKit

/// The `coordinatorctl new` command.
struct New: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a new flow with its test, ready to run.",
    discussion: """
      --shell writes a script, an answers file, and a test that needs no daemon; --python a script and a test. --swift writes a \
      package with a daemon of its own, which runs beside coordinatord, its unit and its activation file, a test, and a Makefile \
      that makes a Debian package; --swift-provider one with a program that serves the flow to coordinatord. Prints the commands \
      to continue with. Existing files are not changed.
      """)
  @OptionGroup var output: OutputOptions

  @Argument(help: "The name of the flow: lower-case letters, digits and '-'.")
  var name: String

  @Flag(help: "What the flow is written in.")
  var language: NewFlow.Language

  @Option(help: "The directory for the files.", completion: .directory)
  var directory = "."

  @Option(
    help: ArgumentHelp(
      "With --swift and --swift-provider: a directory with the sources of coordinatord, in place of the published ones.",
      valueName: "directory"),
    completion: .directory)
  var checkout: String?

  func validate() throws {
    if checkout != nil, language != .swift, language != .swiftProvider {
      throw ValidationError("--checkout needs --swift or --swift-provider")
    }
  }

  func run() async throws {
    try await output.perform { output in
      try NewFlow(output: output).run(name, language, in: directory, checkout: checkout)
      return .success
    }
  }
}

extension NewFlow.Language: EnumerableFlag {}
