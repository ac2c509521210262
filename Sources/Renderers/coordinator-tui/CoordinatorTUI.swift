import ArgumentParser
import CoordinatorBus
import CoordinatorTerminal
import Foundation
import Hardening
import LinearTerminal
import RendererKit
import ToolOptions

/// The `coordinator-tui` tool: parses arguments and shows a flow.
@main
struct CoordinatorTUI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator-tui",
    abstract: "Shows a flow in this terminal, and lets you answer.",
    discussion: """
      Starts FLOW, or attaches to a flow tree that is running: its name (pets_1), the beginning of one, or its path. Any number of \
      renderers may show the same tree.

      F1 tells the keys. Esc goes back, and asks before the first screen is left, which ends the flow; q, or Ctrl-C wherever letters are text, leaves, and the flow goes on.

      With --linear a flow is shown line by line: for a screen reader, for TERM=dumb and for a pipe, and wherever the environment has \
      ACCESSIBLE=1. There b goes back, q leaves, ? helps; /text finds rows of a long list. Over a pipe each line is an answer, the end of the input leaves, and a screen \
      that is busy is waited for. NO_COLOR=1 takes the colours away.

      \(ToolExit.help([.success, .error, .noDaemon, .cancelled, .failed, .usage, .interrupted]))
      """,
    version: Release.version)

  @Argument(help: "A flow to start, or a flow tree to attach to; may be left out when just one is running.")
  var flowOrTree: String?

  @Argument(help: ArgumentHelp("The input of a flow that is started.", valueName: "key=value"))
  var input: [String] = []

  @Option(help: "Names the flow tree that is started; the same token comes back to it.")
  var token: String?

  @Flag(help: "Show the flow line by line.")
  var linear = false

  @OptionGroup var bus: BusOptions

  func run() async throws {
    // This process handles passwords.
    ProcessHardening.forbidDumps()
    let environment = ProcessInfo.processInfo.environment
    let screen = TerminalScreen(environment: environment)
    let output = ToolOutput(isJSON: false, style: screen.style, write: StandardStreams.write)
    do {
      let exit = try await ToolSession.run(on: bus.chosen, output: output, readFile: StandardStreams.read) { session in
        let assignments = try Assignment.all(input)
        switch TerminalMode(environment: environment, wantsLinear: linear) {
        case .fullScreen: return try await FullScreenMode(session).run(flowOrTree, assignments, token: token)
        case .linear:
          let reader = LineReader(descriptor: STDIN_FILENO)
          return try await LinearMode(session, reader: reader, screen.kind).run(flowOrTree, assignments, token: token)
        }
      }
      throw ExitCode(exit.rawValue)
    } catch let failure as ToolFailure {
      StandardStreams.complain(failure.text(tool: "coordinator-tui", output: output))
      throw ExitCode(failure.exit.rawValue)
    }
  }
}
