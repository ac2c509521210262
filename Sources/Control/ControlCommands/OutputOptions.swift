import ArgumentParser
import Glibc
import Platform
import RendererKit

/// The options that determine the format of a command's output.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON: one object, or one object per line for output that continues over time.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  /// Runs a command, reports its failure, and exits with its exit code.
  func perform(_ body: (ToolOutput) async throws -> ToolExit) async throws {
    let environment = Environment.variables
    let isQuiet = quiet
    let output = ToolOutput(
      isJSON: json, style: TextStyle(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1)
    ) { if !isQuiet { StandardStreams.write($0) } }
    do {
      throw ExitCode(try await body(output).rawValue)
    } catch let failure as ToolFailure {
      var complaint = output
      complaint.style = TextStyle(environment: environment, isTerminal: isatty(STDERR_FILENO) == 1)
      StandardStreams.complain(failure.text(tool: "coordinatorctl", output: complaint))
      throw ExitCode(failure.cause.rawValue)
    }
  }
}
