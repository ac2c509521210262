import CoordinatorClient
import CoordinatorTools

extension ControlTool {
  /// Attaches to a flow tree or starts a flow, and shows it in full-screen mode.
  ///
  /// If ncurses cannot use the terminal, the flow is shown line by line.
  ///
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the only active tree.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  public func showOnFullScreen(
    _ text: String?, _ assignments: [Assignment], token: String?
  ) async throws(ToolFailure) -> ToolExit {
    let tree = try await open(text, assignments, token: token)
    let style = output.style
    guard let terminal = await CursesTerminal.open(isColoured: style.isColoured, isUnicode: style.isUnicode) else {
      return try await converse(in: tree, reader: LineReader(descriptor: 0), .smart)
    }
    let session = FullScreenSession(daemon: daemon, tree: tree, terminal: terminal, isUnicode: style.isUnicode)
    let end: (exit: ToolExit, lines: [String])
    do {
      end = try await doing { () async throws(ClientError) in try await session.run() }
    } catch {
      await terminal.close()
      throw error
    }
    await terminal.close()
    output.write(end.lines.map { $0 + "\n" }.joined())
    return end.exit
  }
}
