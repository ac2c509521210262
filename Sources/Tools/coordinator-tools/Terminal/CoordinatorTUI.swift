import ArgumentParser
import CoordinatorBus
import CoordinatorTerminal
import Glibc
import Hardening
import LinearTerminal
import Platform
import RendererKit
import Themes
import ToolOptions

/// The `coordinator-tui` tool: parses arguments and shows a flow.
struct CoordinatorTUI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator-tui",
    abstract: "Shows a flow in this terminal, and lets you answer it.",
    discussion: """
      Starts FLOW, or attaches to a running flow tree, given by its name (pets_1), an unambiguous prefix of its name, or its \
      path. Any number of renderers may show the same tree. Without FLOW, what runs and what can be started is listed.

      F1 lists the keys. F2 shows a code that a phone on the same network continues with. Esc goes back; on the first screen, \
      it ends the flow after a confirmation. q, or Ctrl-C where letters are typed as text, leaves, and the flow continues.

      With --linear, and automatically if TERM is dumb or unset, if input or output is not a terminal, or if the environment \
      contains ACCESSIBLE=1, each screen is printed and answered line by line: for screen readers, old terminals and scripts. In \
      this mode, b or :b goes back, q or :q leaves, ? shows help, =text is an answer even if it is a command, and /text prints \
      the matching rows of a list. Over a pipe, each line is an answer, the end of the input leaves, and a busy screen is waited \
      for. NO_COLOR=1 disables colors.

      \(ToolExit.help([.success, .error, .noDaemon, .cancelled, .failed, .usage, .interrupted]))
      """,
    version: Release.version)

  /// Creates the command, for the command-line parser to fill in.
  init() {}

  @Argument(help: "A flow to start, or a flow tree to attach to; without it, the flows are listed.")
  var flowOrTree: String?

  @Argument(help: ArgumentHelp("The input of a flow that is started.", valueName: "key=value"))
  var input: [String] = []

  @Option(help: "Names the flow tree that is started; the same token attaches to it again. With --kiosk, names the kiosk.")
  var token: String?

  @Flag(help: "Show the flow line by line.")
  var linear = false

  @OptionGroup var themes: ThemeOptions

  @OptionGroup var kiosk: KioskOptions

  @OptionGroup var bus: BusOptions

  func run() async throws {
    // This process handles passwords.
    ProcessHardening.forbidDumps()
    let environment = Environment.variables
    // Before the connection to the bus starts a thread.
    TrueColour.prepare(environment: environment)
    let screen = TerminalScreen(environment: environment)
    let theme: Theme
    do {
      theme = try themes.theme(environment: environment, complain: StandardStreams.complain)
    } catch {
      throw ValidationError(error.lines.joined(separator: "\n"))
    }
    let output = ToolOutput(isJSON: false, style: screen.style, write: StandardStreams.write)
    do {
      let exit = try await ToolSession.run(on: bus.chosen, output: output, readFile: StandardStreams.read) { session in
        let assignments = try Assignment.all(input)
        if kiosk.policy != .none { return try await loop(session, assignments, screen, theme, environment) }
        switch TerminalMode(environment: environment, wantsLinear: linear) {
        case .fullScreen:
          let mode = FullScreenMode(session, theme: theme, bus: bus.arguments)
          let isHome = flowOrTree == nil && token == nil
          return isHome ? try await mode.runHome() : try await mode.run(flowOrTree, assignments, token: token)
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

  /// Shows the flow repeatedly.
  private func loop(
    _ session: ToolSession, _ assignments: [Assignment], _ screen: TerminalScreen, _ theme: Theme,
    _ environment: [String: String]
  ) async throws -> ToolExit {
    guard let flow = flowOrTree else {
      throw ToolFailure(["--kiosk, --restart-after and --idle-reset require a flow to start"], exit: .usage)
    }
    let mode = TerminalMode(environment: environment, wantsLinear: linear)
    let reader = mode == .linear ? LineReader(descriptor: STDIN_FILENO) : nil
    let (policy, bus) = (kiosk.policy, bus.arguments)
    return try await KioskLoop(
      session: session, policy: policy, flow: flow, input: assignments, write: StandardStreams.write,
      complain: StandardStreams.complain,
      show: { tree in
        let name = TreeSelector.name(tree)
        if let reader {
          let linear = LinearMode(session, reader: reader, screen.kind, policy: policy)
          return try await linear.run(name, [], token: nil)
        }
        let fullScreen = FullScreenMode(session, theme: theme, bus: bus, policy: policy)
        return try await fullScreen.run(name, [], token: nil)
      },
      isInputOver: { reader?.isAtEnd == true }
    ).run(token: token)
  }
}
