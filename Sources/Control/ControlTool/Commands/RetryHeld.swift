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
  /// - Parameter coordinator: the coordinator that the result is about, as a command names it; nil for all.
  /// - Returns: the exit code; an error if any of them is still held.
  /// - Throws: ``ToolFailure``.
  public func run(_ coordinator: String? = nil) async throws(ToolFailure) -> ToolExit {
    let path: ObjectPath? = if let coordinator { try await session.coordinator(coordinator) } else { nil }
    let (takenUp, held) = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.retryHeld() }
    let left = held == 0 ? [] : try await TreeNodes(session).all().flatMap { $0.heldNodes(at: path) }
    guard path == nil else { return report(left) }
    let summary = "\(takenUp) no longer held, \(held) still held"
    session.output.say(
      [summary] + left.map(\.heldLine), json: ["takenUp": .integer(Int64(takenUp)), "held": .array(left.map(\.json))])
    return held == 0 ? .success : .error
  }

  private func report(_ left: [TreeNode]) -> ToolExit {
    session.output.say(left.isEmpty ? ["not held"] : left.map(\.heldLine), json: ["held": .array(left.map(\.json))])
    return left.isEmpty ? .success : .error
  }
}

extension TreeNode {
  /// Returns the held coordinators of the tree, or the one with a path if it is held.
  fileprivate func heldNodes(at path: ObjectPath?) -> [TreeNode] {
    guard let path else { return held == nil ? [] : [self] }
    guard self.path != path else { return held == nil ? [] : [self] }
    return children.flatMap { $0.heldNodes(at: path) }
  }

  /// The line with the coordinator and the reason why it is held.
  fileprivate var heldLine: String {
    "  \(path.elements.last.map(String.init)?.printable ?? ""): \(held?.printable ?? "")"
  }
}
