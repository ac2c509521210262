import CoordinatorClient
import DBus
import RendererKit

/// Guides a user through a flow line by line.
public struct LinearMode: Sendable {
  private let session: ToolSession
  private let reader: LineReader
  private let kind: LinearTerminal.Kind
  private let policy: KioskPolicy

  /// Creates the mode.
  ///
  /// - Parameters:
  ///   - session: connection to the daemon, and the output.
  ///   - reader: source of the user's lines.
  ///   - kind: kind of the output.
  ///   - policy: whether users can leave.
  public init(
    _ session: ToolSession, reader: LineReader, _ kind: LinearTerminal.Kind, policy: KioskPolicy = .none
  ) {
    self.policy = policy
    self.session = session
    self.reader = reader
    self.kind = kind
  }

  /// Attaches to a flow tree or starts a flow, and guides the user through it.
  ///
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the front door, which lists them.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  public func run(_ text: String?, _ assignments: [Assignment], token: String?) async throws(ToolFailure) -> ToolExit {
    if text == nil, assignments.isEmpty, token == nil {
      let door = LinearFrontDoor(
        daemon: session.daemon, reader: reader, style: session.output.style, kind: kind, write: session.output.write)
      return try await session.doing { () async throws(ClientError) in try await door.run() }
    }
    return try await run(in: try await session.open(text, assignments, token: token))
  }

  /// Guides the user through a flow tree.
  ///
  /// - Parameter tree: path of the root coordinator.
  /// - Returns: the exit code.
  /// - Throws: `ToolFailure`.
  package func run(in tree: ObjectPath) async throws(ToolFailure) -> ToolExit {
    try await session.doing { () async throws(ClientError) in
      let terminal = TerminalSession(
        daemon: session.daemon, tree: tree, reader: reader, style: session.output.style, kind: kind,
        write: session.output.write, policy: policy)
      return try await terminal.run()
    }
  }
}
