import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// What coordinator-tui does.
extension ControlTool {
  /// Attaches to a flow tree or starts a flow, and talks its user through it.
  ///
  /// - Parameters:
  ///   - text: A flow tree or a flow; nil for the only tree that is active.
  ///   - assignments: The input of a flow that is started.
  ///   - token: The token of a flow that is started.
  ///   - reader: Where answers come from.
  ///   - kind: What there is to write to.
  /// - Returns: What to exit with.
  /// - Throws: `ToolFailure`.
  public func converse(
    _ text: String?, _ assignments: [Assignment], token: String?, reader: LineReader, _ kind: LinearTerminal.Kind
  ) async throws(ToolFailure) -> ToolExit {
    try await converse(in: try await open(text, assignments, token: token), reader: reader, kind)
  }

  /// Talks its user through a flow tree, line by line.
  ///
  /// - Parameters:
  ///   - tree: The path of the root coordinator.
  ///   - reader: Where answers come from.
  ///   - kind: What there is to write to.
  /// - Returns: What to exit with.
  /// - Throws: `ToolFailure`.
  package func converse(
    in tree: ObjectPath, reader: LineReader, _ kind: LinearTerminal.Kind
  ) async throws(ToolFailure) -> ToolExit {
    try await doing { () async throws(ClientError) in
      let session = TerminalSession(
        daemon: daemon, tree: tree, reader: reader, style: output.style, kind: kind, write: output.write)
      return try await session.run()
    }
  }

  /// Finds a flow tree, or starts a flow.
  ///
  /// - Parameters:
  ///   - text: A flow tree or a flow; nil for the only tree that is active.
  ///   - assignments: The input of a flow that is started.
  ///   - token: The token of a flow that is started.
  /// - Returns: The path of the root coordinator.
  /// - Throws: `ToolFailure`.
  package func open(
    _ text: String?, _ assignments: [Assignment], token: String?
  ) async throws(ToolFailure) -> ObjectPath {
    try await opened(text, assignments, token: token).tree
  }

  /// Does what ``open(_:_:token:)`` does.
  ///
  /// - Returns: The root coordinator; and the input, if it was started here.
  package func opened(
    _ text: String?, _ assignments: [Assignment], token: String?
  ) async throws(ToolFailure) -> (tree: ObjectPath, input: [String: JSONValue]?) {
    let (active, flows) = try await doing { () async throws(ClientError) in
      (try await daemon.manager.listActive(), try await daemon.manager.listFlows())
    }
    switch try OpenTarget(text, active: active.map(\.coordinator), flows: flows.map(\.name)) {
    case .attach(let root):
      guard assignments.isEmpty, token == nil else {
        throw ToolFailure(["'\(TreeSelector.name(root))' is running already: it takes no input and no token"], exit: .usage)
      }
      return (root, nil)
    case .start(let flow):
      let input = try object(assignments, flows.first { $0.name == flow }?.input)
      let tree = try await doing { () async throws(ClientError) in
        try await daemon.manager.startFlow(flow, input: input, options: Options(token: token)).coordinator
      }
      return (tree, input)
    }
  }
}
