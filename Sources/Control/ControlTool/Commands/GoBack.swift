import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl back`: goes back from the top screen.
public struct GoBack: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Goes back from the top screen of a flow tree; nil means the only active tree. The request key makes the call safe to
  /// repeat. If the tree does not show an expected screen, nothing is done.
  ///
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?, request: String?, expected: SendGuard = SendGuard()) async throws(ToolFailure) {
    let root = try await session.root(tree)
    let window = try await session.doing { () async throws(ClientError) in try await session.window(of: root) }
    try expected.check(window)
    guard let top = window.top else {
      guard window.held == nil else { throw ToolFailure(ScreenReport.nothing(in: window), cause: .held) }
      throw ToolFailure(["there is no screen to go back from"], cause: .stale)
    }
    let revision = try await session.doing { () async throws(ClientError) in
      guard let router = try? Contract.routerPath(of: root) else { throw .malformedAnswer(root.string) }
      return try await session.daemon.router(router).back(screen: top.id, options: Options(request: request))
    }
    try await ScreenReport(session).print(revision, root)
  }
}
