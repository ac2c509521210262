import ArgumentParser
import ControlTool
import Glibc
import Platform
import RendererKit
import ToolOptions

/// Prints the log of a running script, to keep it as a test.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the log of a running flow as JSON, to keep it as a test.",
    discussion: """
      The same as 'coordinatorctl script export'. 'coordinator-scripts check SCRIPT --log FILE' tests whether a changed script still \
      fits it.
      """)

  @OptionGroup var bus: BusOptions

  @Argument(help: "The flow tree, or the name of a flow that has one; by default the only one that is running.")
  var tree: String?

  func run() async throws {
    let environment = Environment.variables
    let output = ToolOutput(
      isJSON: false, style: TextStyle(environment: environment, isTerminal: false), write: StandardStreams.write)
    do {
      let exit = try await ToolSession.run(on: bus.chosen, output: output, readFile: StandardStreams.read) { session in
        try await ExportScript(session).run(tree)
        return .success
      }
      throw ExitCode(exit.rawValue)
    } catch let failure as ToolFailure {
      StandardStreams.complain(failure.text(tool: "coordinator-scripts", output: output))
      throw ExitCode(failure.exit.rawValue)
    }
  }
}
