import ArgumentParser
import ControlTool

/// The `coordinatorctl version` command.
struct Version: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the version of this program; 'status' prints that of the daemon.")
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.perform { output in
      PrintVersion(output: output).run()
      return .success
    }
  }
}
