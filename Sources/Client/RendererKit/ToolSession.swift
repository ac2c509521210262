import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import Platform

/// The context of every tool: a connection to the daemon, and an output for its user.
public struct ToolSession: Sendable {
  /// The client of the daemon to control.
  package let daemon: DaemonClient
  /// The output of the commands.
  package let output: ToolOutput
  /// Reads a file, or for `-` the next line of standard input; returns nil on failure.
  package let readFile: @Sendable (String) -> String?

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - daemon: client of the daemon to control.
  ///   - output: output of the commands.
  ///   - readFile: closure that reads the value of an assignment such as `key=@path`, or for `-` the next line of
  ///     standard input; returns nil on failure.
  public init(daemon: DaemonClient, output: ToolOutput, readFile: @escaping @Sendable (String) -> String?) {
    self.daemon = daemon
    self.output = output
    self.readFile = readFile
  }

  /// Performs calls, and converts errors to failures for users.
  package func doing<Result: Sendable>(
    _ body: () async throws(ClientError) -> Result
  ) async throws(ToolFailure) -> Result {
    do {
      return try await body()
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Returns the root of the flow tree that an argument refers to.
  package func root(_ tree: String?) async throws(ToolFailure) -> ObjectPath {
    let active = try await doing { () async throws(ClientError) in try await daemon.manager.listActive() }
    do {
      return try TreeSelector.root(tree, among: active.map(\.coordinator))
    } catch {
      throw await failure(error)
    }
  }

  /// Returns the coordinator that an argument refers to.
  package func coordinator(_ text: String?) async throws(ToolFailure) -> ObjectPath {
    let active = try await doing { () async throws(ClientError) in try await daemon.manager.listActive() }
    do {
      return try TreeSelector.coordinator(text, among: active.map(\.coordinator))
    } catch {
      throw await failure(error)
    }
  }

  /// Describes why a tree was not found. The tree may have ended.
  private func failure(_ failure: TreeSelector.Failure) async -> ToolFailure {
    guard case .unknown(let name, _) = failure, let end = await end(of: name) else { return ToolFailure(failure) }
    return ToolFailure(
      [
        "'\(name.printable)' has already ended (\(end.name))",
        "  see its result with: coordinatorctl outcome \(name.printable)",
      ], cause: .alreadyEnded)
  }

  /// Reads the window of a flow tree.
  package func window(of root: ObjectPath) async throws(ClientError) -> MirroredWindow {
    do {
      return try await daemon.router(Contract.routerPath(of: root)).window()
    } catch let error as ClientError {
      throw error
    } catch {
      throw .malformedAnswer("\(error)")
    }
  }

  /// Reads the renderers that are attached to a flow tree.
  package func participants(of root: ObjectPath) async throws(ClientError) -> [Participant] {
    do {
      return try await daemon.router(Contract.routerPath(of: root)).participants()
    } catch let error as ClientError {
      throw error
    } catch {
      throw .malformedAnswer("\(error)")
    }
  }

  /// Builds an object from assignments, typed by a schema.
  package func object(_ assignments: [Assignment], _ schema: Schema?) throws(ToolFailure) -> [String: JSONValue] {
    do {
      return try TypedArguments.object(from: assignments, schema: schema, read: readFile)
    } catch {
      throw ToolFailure([error.description], exit: .usage)
    }
  }
}

extension ToolSession {
  /// Connects to a bus, runs a closure with a session on that bus, and closes the connection.
  ///
  /// - Parameters:
  ///   - bus: address of the bus.
  ///   - output: output of the commands.
  ///   - readFile: closure that reads a file, or for `-` the next line of standard input; returns nil on failure.
  ///   - body: closure to run.
  /// - Returns: the exit code that `body` returns.
  /// - Throws: ``ToolFailure`` if the connection fails; otherwise whatever `body` throws.
  public static func run(
    on bus: BusAddress, output: ToolOutput, readFile: @escaping @Sendable (String) -> String?,
    _ body: (ToolSession) async throws -> ToolExit
  ) async throws -> ToolExit {
    var daemon: DaemonClient
    do {
      daemon = try await DaemonClient.connect(to: bus)
      daemon.language = LanguageTag.preferred().first
    } catch {
      throw ToolFailure(error)
    }
    let result: Result<ToolExit, any Error>
    do {
      result = .success(try await body(ToolSession(daemon: daemon, output: output, readFile: readFile)))
    } catch {
      result = .failure(error)
    }
    await daemon.close()
    return try result.get()
  }
}

/// Finds flow trees and starts flows by the names that users give.
extension ToolSession {
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
  /// - Parameters:
  ///   - text: flow tree or flow; nil for the only active tree.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  ///   - proposals: whether the user of a flow that is started is not known yet, so that a renderer proposes the language; nil for
  ///     no.
  /// - Returns: the path of the root coordinator, and the input if the flow was started by this call.
  /// - Throws: ``ToolFailure``.
  package func opened(
    _ text: String?, _ assignments: [Assignment], token: String?, proposals: Bool? = nil
  ) async throws(ToolFailure) -> (tree: ObjectPath, input: [String: JSONValue]?) {
    let (active, flows) = try await doing { () async throws(ClientError) in
      (try await daemon.manager.listActive(), try await daemon.manager.listFlows())
    }
    switch try OpenTarget(text, active: active.map(\.coordinator), flows: flows.map(\.name)) {
    case .attach(let root):
      guard assignments.isEmpty, token == nil else {
        throw ToolFailure(["'\(TreeSelector.name(root))' is already running: it accepts neither input nor a token"], exit: .usage)
      }
      return (root, nil)
    case .start(let flow):
      let input = try object(assignments, flows.first { $0.name == flow }?.input)
      let tree = try await explaining(flow, orTreeAmong: active.map(\.coordinator)) { () async throws(ClientError) in
        try await daemon.manager.startFlow(
          flow, input: input, options: Options(token: token, proposals: proposals)
        ).coordinator
      }
      return (tree, input)
    }
  }

  /// Returns how the flow with a token has ended; nil if it is running, or if the daemon knows no such flow.
  package func end(of token: String?) async -> FlowEnd? {
    guard let token, let path = try? Contract.flowPath(root: token) else { return nil }
    return (try? await daemon.manager.outcome(of: path)) ?? nil
  }

  /// Builds the input of a flow from assignments, typed by the schema that the daemon lists.
  package func input(for flow: String, _ assignments: [Assignment]) async throws(ToolFailure) -> [String: JSONValue] {
    guard !assignments.isEmpty else { return [:] }
    let flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
    return try object(assignments, flows.first { $0.name == flow }?.input)
  }

  /// Performs a call that starts a flow. If the daemon knows no flow of that name, the failure lists the known ones.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - trees: the flow trees that the name could have meant as well.
  ///   - body: the call.
  /// - Returns: the result of the call.
  /// - Throws: ``ToolFailure``.
  package func explaining<Result: Sendable>(
    _ flow: String, orTreeAmong trees: [ObjectPath] = [], _ body: () async throws(ClientError) -> Result
  ) async throws(ToolFailure) -> Result {
    do {
      return try await body()
    } catch {
      guard case .refused(.unknownFlow) = error else { throw ToolFailure(error) }
      let flows = (try? await daemon.manager.listFlows()) ?? []
      throw ToolFailure(error, advice: Self.advice(flow, among: flows, trees: trees))
    }
  }

  /// Returns suggestions for the name of a flow that does not exist.
  package static func advice(_ flow: String, among flows: [FlowListing], trees: [ObjectPath] = []) -> [String] {
    let names = flows.map(\.name).sorted()
    return Suggestion.best(for: flow, among: names + trees.map(TreeSelector.name)).map { ["  did you mean '\($0.printable)'?"] }
      ?? ["  flows: \(names.joined(separator: ", ").printable)"]
  }
}
