import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Handles going back, and leaving a flow.
extension Site {
  func back(from id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      // The page may predate the moment at which this became the only screen.
      if let window = await watch.wait()?.window, window.top?.id == id, LeavingStep(in: window).question != nil {
        return .seeOther(links.ending(id, of: tree))
      }
      return try await back(from: id, of: tree, watch, request: request(of: visit.form), visit) ?? .seeOther(links.tree(tree))
    }
    return response ?? unseen(tree)
  }

  /// Ends the flow by leaving its first screen, after the user has confirmed it.
  func end(_ id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      // Meanwhile the flow may have reached a point where Back ends nothing.
      guard let window = await watch.wait()?.window, LeavingStep(in: window).question != nil,
        !(links.isLocked && LeavingStep(in: window) == .end)
      else { return .seeOther(links.tree(tree)) }
      return try await back(from: id, of: tree, watch, request: request(of: visit.form), visit) ?? .seeOther(links.tree(tree))
    }
    return response ?? unseen(tree)
  }

  /// Goes back one screen at a time until the given screen is on top.
  func goBack(to id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let seen = visit.form["top"].flatMap(UInt64.init)
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let window = await watch.wait()?.window, let index = window.screens.firstIndex(where: { $0.id == id }),
        window.top?.id == seen
      else { return moved(tree, .answeredElsewhere(kind: nil)) }
      // At most once for each screen above, regardless of other events.
      for screen in window.screens[(index + 1)...].reversed() {
        // A root's screens may lie above those of its children, so leaving one may end the flow.
        if let now = await watch.wait()?.window, LeavingStep(in: now).question != nil { return .seeOther(links.tree(tree)) }
        if let refusal = try await back(from: screen.id, of: tree, watch, request: nil, visit) { return refusal }
      }
      return .seeOther(links.tree(tree))
    }
    return response ?? unseen(tree)
  }

  /// Goes back from the top screen.
  ///
  /// - Returns: the response if that failed, otherwise nil.
  private func back(
    from id: UInt64, of tree: String, _ watch: TreeWatch, request: String?, _ visit: Visit
  ) async throws(ClientError) -> HTTPResponse? {
    guard let path = path(of: tree), let router = try? Contract.routerPath(of: path) else { return unseen(tree) }
    do {
      let revision = try await watch.answering { () async throws(ClientError) in
        try await daemon.router(router).back(screen: id, options: Options(request: request))
      }
      await watch.wait { $0.shows(revision) }
      return nil
    } catch .refused(.staleScreen), .refused(.unknownScreen) {
      return moved(tree, await watch.wait { $0.window?.top?.id != id }?.answered ?? .answeredElsewhere(kind: nil))
    } catch .refused(.flowFailed) {
      return .seeOther(links.tree(tree))
    } catch .refused(.notDismissable) {
      return moved(tree, .heldBack)
    } catch .refused(let refusal) {
      return stay(on: id, of: tree, await speaking(as: watch) { refusal.sentence }, visit)
    } catch .failed(let error) where error.isStandard("LimitsExceeded") {
      return stay(on: id, of: tree, await speaking(as: watch) { ClientError.failed(error).sentence }, visit)
    } catch .failed(let error) where error.isStandard("UnknownObject") {
      return .seeOther(links.tree(tree))
    }
  }

  /// Shows a screen again that could not be left, with the reason.
  private func stay(on id: UInt64, of tree: String, _ problem: String, _ visit: Visit) -> HTTPResponse {
    var draft = visit.session.drafts.draft(of: id, in: tree) ?? Draft(screen: id)
    draft.problem = problem
    keep(draft, in: tree, visit)
    return .seeOther(links.screen(id, of: tree))
  }
}
