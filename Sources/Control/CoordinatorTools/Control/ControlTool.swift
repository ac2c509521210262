import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// What coordinatorctl does, command by command, on a daemon and with an output of anybody's choice.
public struct ControlTool: Sendable {
  /// What to control.
  package let daemon: DaemonClient
  package let output: ToolOutput
  /// Reads a file, or the next line of standard input for `-`; nil if it cannot.
  let readFile: @Sendable (String) -> String?

  /// A tool.
  ///
  /// - Parameters:
  ///   - daemon: What to control.
  ///   - output: Where to write what there is to say.
  ///   - readFile: Reads the value of an assignment like `key=@path`; `-` is the next line of standard input.
  public init(daemon: DaemonClient, output: ToolOutput, readFile: @escaping @Sendable (String) -> String?) {
    self.daemon = daemon
    self.output = output
    self.readFile = readFile
  }

  /// Carries out a command, and turns what goes wrong into something to read.
  package func doing<Result: Sendable>(
    _ body: () async throws(ClientError) -> Result
  ) async throws(ToolFailure) -> Result {
    do {
      return try await body()
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Finds the flow tree that is meant.
  func root(_ tree: String?) async throws(ToolFailure) -> ObjectPath {
    let active = try await doing { () async throws(ClientError) in try await daemon.manager.listActive() }
    do {
      return try TreeSelector.root(tree, among: active.map(\.coordinator))
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Finds the coordinator that is meant.
  func coordinator(_ text: String?) async throws(ToolFailure) -> ObjectPath {
    let active = try await doing { () async throws(ClientError) in try await daemon.manager.listActive() }
    do {
      return try TreeSelector.coordinator(text, among: active.map(\.coordinator))
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Reads what a flow tree shows.
  func window(of root: ObjectPath) async throws(ClientError) -> MirroredWindow {
    do {
      return try await daemon.router(Contract.routerPath(of: root)).window()
    } catch let error as ClientError {
      throw error
    } catch {
      throw .malformedAnswer("\(error)")
    }
  }

  /// Makes an object of assignments, typed by a schema.
  func object(_ assignments: [Assignment], _ schema: Schema?) throws(ToolFailure) -> [String: JSONValue] {
    do {
      return try TypedArguments.object(from: assignments, schema: schema, read: readFile)
    } catch {
      throw ToolFailure([error.description], exit: .usage)
    }
  }
}

extension ControlTool {
  /// Connects to a bus, and does something with the tool there.
  ///
  /// - Parameters:
  ///   - bus: Which bus.
  ///   - output: Where to write what there is to say.
  ///   - readFile: Reads a file, or the next line of standard input for `-`.
  ///   - body: What to do.
  /// - Returns: What to exit with.
  /// - Throws: `ToolFailure`, if only that was thrown by `body`.
  public static func run(
    on bus: BusAddress, output: ToolOutput, readFile: @escaping @Sendable (String) -> String?,
    _ body: (ControlTool) async throws -> ToolExit
  ) async throws -> ToolExit {
    let daemon: DaemonClient
    do {
      daemon = try await DaemonClient.connect(to: bus)
    } catch {
      throw ToolFailure(error)
    }
    let result: Result<ToolExit, any Error>
    do {
      result = .success(try await body(ControlTool(daemon: daemon, output: output, readFile: readFile)))
    } catch {
      result = .failure(error)
    }
    await daemon.close()
    return try result.get()
  }
}
