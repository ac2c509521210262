import CoordinatorClient
import LinearTerminal
import RendererKit

/// Shows a flow in full-screen mode, or line by line where ncurses cannot use the terminal.
public struct FullScreenMode: Sendable {
  private let session: ToolSession
  private let bus: [String]

  /// Creates the mode.
  ///
  /// - Parameters:
  ///   - session: connection to the daemon and the output.
  ///   - bus: options that select the daemon's bus, for the programs that it starts.
  public init(_ session: ToolSession, bus: [String] = []) {
    self.session = session
    self.bus = bus
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
    let style = session.output.style
    guard let terminal = await CursesTerminal.open(isColoured: style.isColoured, isUnicode: style.isUnicode) else {
      return try await LinearMode(session, reader: LineReader(descriptor: 0), .terminal).run(in: tree)
    }
    let screen = FullScreenSession(
      daemon: session.daemon, tree: tree, terminal: terminal, isUnicode: style.isUnicode,
      phone: PhoneDriver(tree: TreeSelector.name(tree), bus: bus))
    let end: (exit: ToolExit, lines: [String])
    do {
      end = try await session.doing { () async throws(ClientError) in try await screen.run() }
    } catch {
      await terminal.close()
      throw error
    }
    await terminal.close()
    session.output.write(end.lines.map { $0 + "\n" }.joined())
    return end.exit
  }
}
