import CoordinatorBus
import CoordinatorClient
import DBus
import Languages
import RendererKit

/// Restarts flows automatically.
extension Site {
  /// Keeps the served flow running until the task is cancelled. Returns at once if it does not restart automatically.
  public func keep() async { await keeper?.run() }

  /// Creates the keeper of the served flow; nil if it does not restart automatically.
  static func keeper(
    _ policy: KioskPolicy, of scope: Scope, trees: Trees, daemon: DaemonClient, language: LanguageTag?
  ) -> KioskKeeper? {
    guard case .flow(let flow) = scope, policy.isRestarting else { return nil }
    return KioskKeeper(
      policy, of: flow, trees: trees,
      start: { try await flow.startNext(after: $0, of: daemon, language: language) },
      cancel: { _ = try await daemon.coordinator($0).dismiss() })
  }

  /// Records that the user is present, as does every request that is not safe (POST).
  func stayAlive(in tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard path(of: tree) != nil else { return unseen(tree) }
    return visit.form["quiet"] == nil ? .seeOther(links.tree(tree)) : HTTPResponse(.noContent)
  }

  /// Returns the question whether the user is still present; nil if the flow has no time limit without input.
  func idleMarkup(of tree: String, _ visit: Visit) async -> IdleMarkup? {
    guard let keeper, policy.idleTime != nil else { return nil }
    return IdleMarkup(links: links, tree: tree, token: visit.token, left: await keeper.idleLeft)
  }
}

extension ServedFlow {
  /// Starts the run after the given one. If it has already been started, does nothing.
  ///
  /// - Throws: `ClientError`.
  func startNext(after ended: ObjectPath, of daemon: DaemonClient, language: LanguageTag?) async throws(ClientError) {
    guard let token = token(after: ended) else { return }
    let started = try await daemon.manager.startFlow(name, input: input, options: Options(token: token, language: language))
    goOn(with: started.coordinator, after: ended)
  }
}
