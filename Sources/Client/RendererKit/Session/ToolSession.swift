import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages

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
