import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// The conversation of coordinator-tui.
extension ControlTool {
  /// Attaches to a flow tree or starts a flow, and guides the user through it line by line.
  ///
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the only active tree.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  ///   - reader: source of the user's lines.
  ///   - kind: kind of the output.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func converse(
    _ text: String?, _ assignments: [Assignment], token: String?, reader: LineReader, _ kind: LinearTerminal.Kind
  ) async throws(ToolFailure) -> ToolExit {
    try await converse(in: try await open(text, assignments, token: token), reader: reader, kind)
  }

  /// Guides the user through a flow tree line by line.
  ///
  /// - Parameters:
  ///   - tree: path of the root coordinator.
  ///   - reader: source of the user's lines.
  ///   - kind: kind of the output.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
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
  ///   - text: flow tree or flow; nil for the only active tree.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure``.
  package func open(
    _ text: String?, _ assignments: [Assignment], token: String?
  ) async throws(ToolFailure) -> ObjectPath {
    try await opened(text, assignments, token: token).tree
  }

  /// Finds a flow tree or starts a flow, like ``open(_:_:token:)``.
  ///
  /// - Returns: the path of the root coordinator, and the input if the flow was started by this call.
  /// - Throws: ``ToolFailure``.
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
