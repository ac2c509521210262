import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import RendererKit

/// `coordinatorctl forget`: forgets how the flow of a token ended.
public struct ForgetToken: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Forgets how the flow of a token ended, so that the token starts a flow again.
  ///
  /// - Parameter token: the token.
  /// - Throws: ``ToolFailure``, with advice if the flow is still running.
  public func run(_ token: String) async throws(ToolFailure) {
    let isForgotten: Bool
    do {
      isForgotten = try await session.daemon.manager.forget(token)
    } catch {
      var failure = ToolFailure(error)
      if case .refused(.tokenInUse(let message)) = error {
        failure.lines = [message.printable, "  end the flow first with: coordinatorctl dismiss \(token.printable)"]
      }
      throw failure
    }
    session.output.say(
      [isForgotten ? "'\(token.printable)' can start a flow again." : "No flow with the token '\(token.printable)' has ended."],
      json: ["forgotten": .boolean(isForgotten)])
  }
}
