import ArgumentParser
import CoordinatorTools
import Foundation

/// How a command says what it has to say.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write JSON: one object, or one a line where there are several over time.")
  var json = false

  /// Carries out a command, and exits with what comes of it.
  func perform(_ body: (ToolOutput) async throws -> ToolExit) async throws {
    let environment = ProcessInfo.processInfo.environment
    let output = ToolOutput(
      isJSON: json, style: TextStyle(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1),
      write: StandardStreams.write)
    do {
      throw ExitCode(try await body(output).rawValue)
    } catch let failure as ToolFailure {
      var complaint = output
      complaint.style = TextStyle(environment: environment, isTerminal: isatty(STDERR_FILENO) == 1)
      StandardStreams.complain(failure.text(tool: "coordinatorctl", output: complaint))
      throw ExitCode(failure.exit.rawValue)
    }
  }
}
