import CoordinatorClient
import LinearTerminal
import Platform
import RendererKit
import Themes

/// Shows a flow in full-screen mode, or line by line where ncurses cannot use the terminal.
public struct FullScreenMode: Sendable {
  private let session: ToolSession
  private let theme: Theme
  private let bus: [String]
  private let policy: KioskPolicy

  /// Creates the mode.
  ///
  /// - Parameters:
  ///   - session: connection to the daemon and the output.
  ///   - theme: name and colors of the provider of the flows.
  ///   - bus: options that select the daemon's bus, for child processes.
  ///   - policy: policy for a terminal in a public place.
  public init(_ session: ToolSession, theme: Theme, bus: [String], policy: KioskPolicy = .none) {
    self.session = session
    self.theme = theme
    self.bus = bus
    self.policy = policy
  }

  /// Attaches to a flow tree or starts a flow, and shows it.
  ///
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the only active tree.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  public func run(_ text: String?, _ assignments: [Assignment], token: String?) async throws(ToolFailure) -> ToolExit {
    let tree = try await session.open(text, assignments, token: token)
    let abilities = abilities
    guard let terminal = await CursesTerminal.open(isColoured: session.output.style.isColoured, abilities) else {
      return try await LinearMode(session, reader: LineReader(descriptor: 0), .terminal).run(in: tree)
    }
    let screen = FullScreenSession(
      daemon: session.daemon, tree: tree, terminal: terminal, manner: DisplayManner(theme, font: abilities.font),
      phone: PhoneDriver(tree: TreeSelector.name(tree), bus: bus), policy: policy)
    return try await show(on: terminal) { () async throws(ClientError) in
      let ending = try await screen.run()
      return (ending.exit, ending.lines)
    }
  }

  /// Shows the running flows and the startable ones, and the flows that the user opens.
  ///
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  public func runHome() async throws(ToolFailure) -> ToolExit {
    let abilities = abilities
    guard let terminal = await CursesTerminal.open(isColoured: session.output.style.isColoured, abilities) else {
      return try await LinearMode(session, reader: LineReader(descriptor: 0), .terminal).run(nil, [], token: nil)
    }
    let door = FrontDoor(session: session, terminal: terminal, manner: DisplayManner(theme, font: abilities.font), bus: bus)
    return try await show(on: terminal) { () async throws(ClientError) in try await door.run() }
  }

  private var abilities: TerminalAbilities {
    let names = ["TERM", "TMUX", "TERM_PROGRAM", "VTE_VERSION", "WT_SESSION", "ConEmuANSI", "KITTY_WINDOW_ID"]
    let environment = Dictionary(
      names.compactMap { name in Environment.value(of: name).map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
    return TerminalAbilities(environment: environment, isUnicode: session.output.style.isUnicode)
  }

  /// Runs a closure that uses the terminal, restores the terminal, and writes the closure's lines.
  private func show(
    on terminal: CursesTerminal, _ body: () async throws(ClientError) -> (exit: ToolExit, lines: [String])
  ) async throws(ToolFailure) -> ToolExit {
    let end: (exit: ToolExit, lines: [String])
    do {
      end = try await session.doing { () async throws(ClientError) in try await body() }
    } catch {
      await terminal.close()
      throw error
    }
    await terminal.close()
    session.output.write(end.lines.map { $0 + "\n" }.joined())
    return end.exit
  }
}
