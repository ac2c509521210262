import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// `coordinatorctl outcome`: prints how a flow ended.
public struct ShowOutcome: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints how a flow ended, as `run` does.
  ///
  /// - Parameter text: name of a root coordinator, path of a child such as `pets_1/schedule_visit_1`, or object path.
  /// - Returns: the exit code of the outcome.
  /// - Throws: ``ToolFailure`` if the flow is still running, or if it is unknown.
  public func run(_ text: String) async throws(ToolFailure) -> ToolExit {
    guard let path = try? text.bytes.hasPrefix("/") ? ObjectPath(text) : ObjectPath("\(Contract.flowsPath.string)/\(text)") else {
      throw ToolFailure(["'\(text.printable)' is not a coordinator; expected a name such as pets_1"], exit: .usage)
    }
    let end: FlowEnd?
    do {
      end = try await session.daemon.manager.outcome(of: path)
    } catch  where error.isUnknownObject {
      // For an abbreviation of a running flow's name, a more helpful message than "unknown" is available.
      if let root = try? await session.root(text) { throw Self.running(TreeSelector.name(root)) }
      throw ToolFailure(
        ["no flow called '\(text.printable)' is running or remembered"], cause: .unknown, name: "UnknownFlowTree")
    } catch {
      throw ToolFailure(error)
    }
    guard let end else { throw Self.running(text) }
    session.output.say(end.resultLines, json: JSONValue(end))
    return end.exitCode
  }

  private static func running(_ name: String) -> ToolFailure {
    ToolFailure(
      ["'\(name.printable)' is still running", "  wait for its end with: coordinatorctl wait \(name.printable) --ended"],
      name: "StillRunning")
  }
}
