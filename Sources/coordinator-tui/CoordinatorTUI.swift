import ArgumentParser
import CoordinatorTools
import Foundation

/// A renderer of linear text: arguments and wiring.
@main
struct CoordinatorTUI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator-tui",
    abstract: "Shows a flow in this terminal, line by line, and lets you answer.",
    discussion: """
      Starts FLOW, or attaches to a flow tree that is running: its name (pets_1), the beginning of one, or its path. Any number of \
      renderers may show the same tree.

      b goes back, q leaves (the flow goes on), ? helps. Over a pipe each line is an answer, the end of the input leaves, and a screen \
      that is busy is waited for.

      \(ToolExit.help)
      """,
    version: "0.1.0")

  @Argument(help: "A flow to start, or a flow tree to attach to; may be left out when just one is running.")
  var flowOrTree: String?

  @Argument(help: ArgumentHelp("The input of a flow that is started.", valueName: "key=value"))
  var input: [String] = []

  @Option(help: "Names the flow tree that is started; the same token comes back to it.")
  var token: String?

  @OptionGroup var bus: BusOptions

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let screen = TerminalScreen(environment: environment)
    let output = ToolOutput(isJSON: false, style: screen.style, write: StandardStreams.write)
    do {
      let exit = try await ControlTool.run(on: bus.chosen, output: output, readFile: StandardStreams.read) { tool in
        let assignments = try Assignment.all(input)
        return try await tool.converse(
          flowOrTree, assignments, token: token, reader: LineReader(descriptor: STDIN_FILENO), screen.kind)
      }
      throw ExitCode(exit.rawValue)
    } catch let failure as ToolFailure {
      StandardStreams.complain(failure.text(tool: "coordinator-tui", output: output))
      throw ExitCode(failure.exit.rawValue)
    }
  }
}
