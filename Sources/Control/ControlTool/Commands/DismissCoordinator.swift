import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl dismiss`: ends a coordinator.
public struct DismissCoordinator: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Ends a coordinator and its children; nil means the root of the only active tree. The request key makes the call
  /// safe to repeat.
  ///
  /// - Throws: ``ToolFailure``.
  public func run(_ coordinator: String?, request: String?) async throws(ToolFailure) {
    let path = try await session.coordinator(coordinator)
    let revision = try await session.doing { () async throws(ClientError) in
      try await session.daemon.coordinator(path).dismiss(options: Options(request: request))
    }
    try await ScreenReport(session).print(revision, Contract.root(of: path) ?? path)
  }
}
