import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl retry`: retries the flow trees and coordinators that are held.
public struct RetryHeld: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Retries the flow trees and coordinators that are held, and prints those that are still held.
  ///
  /// - Returns: the exit code; an error if any of them is still held.
  /// - Throws: ``ToolFailure``.
  public func run() async throws(ToolFailure) -> ToolExit {
    let (takenUp, held) = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.retryHeld() }
    let left = held == 0 ? [] : try await TreeNodes(session).all().filter { $0.held != nil }
    let summary = "\(takenUp) no longer held, \(held) still held"
    session.output.say(
      [summary] + left.map { "  \($0.path.elements.last.map(String.init)?.printable ?? ""): \($0.held?.printable ?? "")" },
      json: ["takenUp": .integer(Int64(takenUp)), "held": .array(left.map(\.json))])
    return held == 0 ? .success : .error
  }
}
