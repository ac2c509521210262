import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit
import ScriptEngine

/// A running coordinator whose flow is a script, for its author and for administrators.
struct ScriptTree: Sendable {
  private static let object: ObjectPath = "/org/coordinatord/Scripts1"
  private static let interface = "org.coordinatord.Scripts1"
  /// The event that carries an administrator's command to the script's program.
  private static let orderEvent = "drop-last"

  private let session: ToolSession
  /// The path of the coordinator.
  let path: ObjectPath

  /// Finds a coordinator.
  ///
  /// - Parameters:
  ///   - text: flow tree, or path of a child; nil for the only active tree.
  ///   - session: session with the daemon.
  /// - Throws: ``ToolFailure``.
  init(_ text: String?, _ session: ToolSession) async throws(ToolFailure) {
    self.session = session
    path = try await session.coordinator(text)
  }

  /// The name of the coordinator for people.
  var name: String { path.elements.dropFirst(Contract.flowsPath.elements.count).joined(separator: "/") }

  /// Reads the log as the daemon has stored it.
  ///
  /// - Throws: ``ToolFailure``, also if the flow is not a script.
  func log() async throws(ToolFailure) -> (json: JSONValue, log: ScriptLog) {
    let text = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.readState(path) }
    guard let json = try? JSONValue(parsing: text.utf8),
      json["format"]?.string == ScriptLog.format, let log = try? ScriptLog(json: json)
    else { throw ToolFailure(["'\(name.printable)' is not a script that this version knows"]) }
    return (json, log)
  }

  /// Reads the name of the flow, and the reason why the coordinator is held.
  ///
  /// - Throws: ``ToolFailure``.
  func details() async throws(ToolFailure) -> (flow: String, held: String?) {
    let details = try await session.doing { () async throws(ClientError) in
      try await session.daemon.coordinator(path).details()
    }
    return (details.flow, details.held)
  }

  /// Reads the last lines of the script's output; none if the program that executes scripts is not running.
  func output() async -> [String] {
    let reply = try? await session.daemon.connection.call(call("ReadOutput"))
    return reply?.first?.elements?.compactMap(\.string) ?? []
  }

  /// Drops the last answer, and all entries since.
  ///
  /// - Throws: ``ToolFailure``.
  func dropLast() async throws(ToolFailure) {
    do {
      _ = try await session.daemon.connection.call(call("DropLast"))
    } catch {
      throw ToolFailure(["the program that executes scripts did not take the order: \(error)"])
    }
    do {
      _ = try await session.daemon.coordinator(path).delegate(screen: 0, event: Self.orderEvent)
    } catch {
      // A held coordinator accepts no new event, only the one that it is held at. It is also held while the daemon still
      // retries; the reason is then the error.
      guard try await details().held != nil else { throw ToolFailure(error) }
      _ = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.retryHeld() }
    }
  }

  private func call(_ member: String) -> MethodCall {
    MethodCall(
      destination: Contract.scriptsName, path: Self.object, interface: Self.interface, member: member,
      arguments: [.objectPath(path)],
      autoStart: false)
  }
}
