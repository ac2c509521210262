import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// Handles requests that change nothing.
extension Site {
  /// Shows a screen of a tree; nil means the top screen.
  func show(_ id: UInt64?, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    try await proposeLanguage(of: tree, visit)
    let found = try await looking(at: tree) { watch throws(ClientError) -> (view: TreeView, people: TreePeople)? in
      // A window without a screen belongs to a flow that is about to end, or is held.
      guard let view = await watch.wait(until: { $0.window?.top != nil || $0.window?.held != nil }) else { return nil }
      return (view, await watch.people)
    }
    guard let (view, people) = found else { return unseen(tree) }
    switch view.state {
    case .ended(let end):
      if Self.reach == .everything, let keeper, await keeper.hasReset(tree) { return .seeOther(firstPage) }
      let known = endings.keep(Endings.Ending(language: view.language, review: view.review), of: tree)
      return .page(await endPage(of: tree, end, known, visit))
    case .unshowable: return .page(PlainPage.unshowable(links).html)
    case .shown(let window):
      let idle = await idleMarkup(of: tree, visit)
      return speaking(as: window) {
        show(id, in: window, people, isAway: view.isLost, of: tree, idle: idle, visit)
      }
    }
  }

  private func show(
    _ id: UInt64?, in window: MirroredWindow, _ people: TreePeople, isAway: Bool, of tree: String, idle: IdleMarkup?,
    _ visit: Visit
  ) -> HTTPResponse {
    if let id, let page = EarlierPage(of: id, in: window, of: tree, links: links, token: visit.token) {
      return .page(page.html)
    }
    guard var page = ScreenPage(window, of: tree, links: links, token: visit.token) else {
      if let sentence = window.heldSentence {
        return .page(HeldPage(links: links, tree: tree, revision: window.revision, sentence: sentence).html)
      }
      return .page(PlainPage.failed(links, Text("This flow shows nothing at the moment.").string).html)
    }
    // A screen has exactly one URL. URLs of screens that are gone redirect to the current screen.
    guard id == page.top.id else {
      var path = links.screen(page.top.id, of: tree)
      if visit.request.query[Links.listName] == String(page.top.id) {
        path = Links.adding(query: ListView(visit.request.query).query, to: path)
      }
      return .seeOther(visit.notice.map { Links.adding($0, to: path) } ?? path)
    }
    page.draft = draft(of: page.top, isAway: isAway, in: tree, visit)
    page.notice = visit.notice
    page.view = ListView(visit.request.query)
    page.isAway = isAway
    page.people = people.sentence(for: visit.session.cookie)
    page.authors = people.authors(on: page.top.id, for: visit.session.cookie)
    page.isReachable = isReachable
    page.idle = idle
    return .page(page.html)
  }

  /// Returns the draft of a screen. Removes the parts that are shown only once from the stored draft.
  private func draft(of screen: PresentedScreen, isAway: Bool, in tree: String, _ visit: Visit) -> Draft? {
    guard let draft = visit.session.drafts.draft(of: screen.id, in: tree) else { return nil }
    if draft.stage == .sent, screen.screen.progress == nil {
      keep(nil, in: tree, visit)
      return nil
    }
    var next = draft
    next.failure = nil
    if draft.stage == .undelivered, !isAway { next.stage = .open }
    if next != draft { keep(next, in: tree, visit) }
    return draft
  }

  /// Asks for confirmation before ending the flow from its first screen. Redirects to the current page if no
  /// confirmation is needed.
  func askWhetherToEnd(_ id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let page = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let window = await watch.wait()?.window else { return nil }
      return speaking(as: window) {
        EndingPage(of: id, in: window, of: tree, links: links, token: visit.token).map { .page($0.html) }
      }
    }
    return page ?? .seeOther(links.tree(tree))
  }

  /// Asks the question of an action. Shows the current page instead if the press of its button no longer has the same meaning.
  func ask(_ id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let query = visit.request.query
    guard let seen = query["seen"].flatMap(UInt64.init), let event = query["event"], let basis = query["basis"] else {
      return .seeOther(links.screen(id, of: tree))
    }
    let choice = SentChoice(event: event, basis: basis)
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      // A screen that is gone, or an earlier one, has a page that explains this.
      guard let window = await watch.wait()?.window, window.top?.id == id else { return .seeOther(links.screen(id, of: tree)) }
      let page: HTTPResponse? = speaking(as: window) {
        ConfirmationPage(of: choice, seen: seen, on: id, in: window, of: tree, links: links, token: visit.token)
          .map { .page($0.html) }
      }
      return page ?? .seeOther(Links.adding(.changed, to: links.tree(tree)))
    }
    return response ?? unseen(tree)
  }

  func events(of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard let path = path(of: tree) else { return isForRuns ? .ended : notFound }
    guard let watch = try await trees.retain(path) else { return crowded }
    return listening(visit, to: await watch.events(for: visitor(of: visit))) { [trees] in await trees.release(path) }
  }

  /// Returns the response with events. While they continue, the browser's session is not dropped in favor of another.
  func listening(
    _ visit: Visit, to events: AsyncStream<ServerSentEvent>, whenOver: @escaping @Sendable () async -> Void
  ) -> HTTPResponse {
    let cookie = visit.session.cookie
    access.beginListening(cookie)
    return HTTPResponse(
      .ok, headers: [("Content-Type", "text/event-stream")],
      body: .events(
        events,
        whenOver: { [access] in
          access.endListening(cookie)
          await whenOver()
        }))
  }

  /// Returns the path of a tree's root; nil if the name is invalid, or if the browser may not see the tree. The tree of a code
  /// stays visible to the browser that used it, even when the server shows the next run, so that the browser can show its last
  /// page.
  func path(of tree: String) -> ObjectPath? {
    guard let path = try? Contract.flowPath(root: tree), Self.reach.allows(tree) ?? scope.allows(path) else { return nil }
    return path
  }

  /// Retains the watch of a tree while a closure runs.
  ///
  /// - Returns: the result of `body`; nil if browsers may not see the tree, or if too many trees are watched.
  func looking<Result: Sendable>(
    at tree: String, _ body: (TreeWatch) async throws(ClientError) -> Result?
  ) async throws(ClientError) -> Result? {
    guard let path = path(of: tree), let watch = try await trees.retain(path) else { return nil }
    do {
      let result = try await body(watch)
      await trees.release(path)
      return result
    } catch {
      await trees.release(path)
      throw error
    }
  }

  /// Returns the response to a request about a tree that browsers may not see, or no longer see. The run before the current one
  /// redirects to the current one, because its pages may still be open.
  func unseen(_ tree: String) -> HTTPResponse {
    isForRuns && Self.reach == .everything && path(of: tree) == nil ? .seeOther(firstPage) : notFound
  }

  /// Whether browsers see the successive runs of one flow.
  private var isForRuns: Bool { if case .flow = scope { true } else { false } }

  var notFound: HTTPResponse { .page(PlainPage.notFound(links).html, status: .notFound) }
  var crowded: HTTPResponse { .page(PlainPage.crowded(links).html, status: .unavailable) }
}

extension HTTPResponse {
  /// The events of a tree that has ended.
  fileprivate static var ended: HTTPResponse {
    let (events, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
    continuation.yield(ServerSentEvent("ended"))
    continuation.finish()
    return HTTPResponse(.ok, headers: [("Content-Type", "text/event-stream")], body: .events(events, whenOver: {}))
  }
}
