import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// The website: answers requests, and manages the sessions. Safe to use concurrently.
public final class Site: Sendable {
  /// A request and its session.
  struct Visit: Sendable {
    let request: HTTPRequest
    let session: Session

    var token: FormToken { FormToken(csrf: session.csrf) }

    /// The notice in the page's URL.
    var notice: PageNotice? { request.query[Links.noticeName].flatMap(PageNotice.init) }

    /// The submitted form; empty if it cannot be decoded, which the guard has already checked.
    var form: FormBody { (try? FormBody(decoding: request.body)) ?? FormBody() }
  }

  let daemon: DaemonClient
  /// The language of the server's environment.
  let ownLanguage: LanguageTag?
  let languages: RendererLanguages
  let scope: Scope
  /// The flow trees that the browser of the current request may see.
  @TaskLocal static var reach = Reach.everything
  let access: BrowserAccess
  let trees: Trees
  let policy: KioskPolicy
  let keeper: KioskKeeper?
  let known = KnownFlows()
  let endings = Endings()
  /// Whether phones can reach the server, so that an address for one makes sense.
  let isReachable: Bool
  /// Returns whether this machine is currently on a network.
  let isConnected: @Sendable () -> Bool
  /// Returns the fingerprint of the server's certificate, which pages show; nil if it has no certificate.
  let fingerprint: @Sendable () -> String?
  private let allLinks: Links
  private let entrance = Entrance()
  private let doors: FrontDoors

  /// Creates the site of a daemon's flows, and announces the first entry URL.
  ///
  /// - Parameters:
  ///   - daemon: client of the daemon.
  ///   - scope: flow trees that browsers may see.
  ///   - origins: closure that returns the current origins under which browsers address the server; the first one is announced.
  ///   - isConnected: closure that returns whether this machine is currently on a network.
  ///   - languages: languages of the words on pages.
  ///   - isOnNetwork: whether browsers of other machines reach the server directly. They are admitted by codes that expire.
  ///   - isReachable: whether browsers of other machines reach the server, directly or through another server.
  ///   - fingerprint: closure that returns the fingerprint of the server's certificate; nil if it has none.
  ///   - look: look of the pages.
  ///   - policy: whether users can leave, and when the flow that the server was started for restarts.
  ///   - announce: closure that receives each entry address: the first one immediately, and the next one whenever one was used.
  public init(
    daemon: DaemonClient, scope: Scope, origins: @autoclosure @escaping @Sendable () -> [Origin],
    isConnected: @escaping @Sendable () -> Bool = { true }, languages: RendererLanguages = .standard, isOnNetwork: Bool = false,
    isReachable: Bool = false, fingerprint: @autoclosure @escaping @Sendable () -> String? = nil, look: WebLook = WebLook(),
    policy: KioskPolicy = .none,
    announce: @escaping @Sendable (EntryAddress) -> Void
  ) {
    self.languages = languages
    var daemon = daemon
    ownLanguage = daemon.language
    // The site decides the language of each flow that it starts.
    daemon.language = nil
    self.daemon = daemon
    self.scope = scope
    self.isReachable = isReachable || isOnNetwork
    self.fingerprint = fingerprint
    var links = Links(entrance, isForOneFlow: scope.isForOneFlow, look: look)
    links.isLocked = policy.isLocked
    allLinks = links
    self.policy = policy
    let trees = Trees(daemon: daemon, languages: languages)
    self.trees = trees
    keeper = Self.keeper(policy, of: scope, trees: trees, daemon: daemon, language: ownLanguage)
    doors = FrontDoors(daemon: daemon)
    self.isConnected = isConnected
    access = BrowserAccess(to: entrance, links: links, origins: origins, isOnNetwork: isOnNetwork, announce: announce)
  }

  /// Answers a request.
  ///
  /// - Parameter request: well-formed request; nothing else about it is trusted.
  /// - Returns: the response.
  @Sendable public func answer(_ request: HTTPRequest) async -> HTTPResponse {
    await Translation.$current.withValue(language(of: request)) { await respond(to: request) }
  }

  private func respond(to request: HTTPRequest) async -> HTTPResponse {
    let cookies = request.headers.cookies.filter { $0.name == Entrance.cookieName }.map(\.value)
    let session = access.session(for: cookies)
    return await Self.$reach.withValue(session?.reach ?? .everything) { await respond(to: request, session) }
  }

  private func respond(to request: HTTPRequest, _ session: Session?) async -> HTTPResponse {
    let verdict = access.verdict(on: request, session)
    if case .refused(let refusal) = verdict { return refused(refusal) }
    if let code = EntryCode.inPath(request.path) { return lead(withCode: code, request) }
    let route = Route(request.path, below: entrance)
    if let route, route.isPublic { return asset(route, request) }
    if route == .home, request.method == .get, let code = request.query[Links.codeName] {
      return await enter(withCode: code, session, request)
    }
    guard verdict == .allowed, let session else { return letIn(request, route) }
    guard let route else { return .page(PlainPage.notFound(links).html, status: .notFound) }
    guard route.takes(request.method) else { return HTTPResponse(.methodNotAllowed, headers: [("Allow", route.allowed)]) }
    if route == .home, request.method == .get, let token = request.query[Links.tokenName] {
      return enterAgain(with: token, session)
    }
    if !request.isSafe, let tree = route.tree { await keeper?.touch(tree) }
    var response = await answer(route, Visit(request: request, session: session))
    if response.status == .seeOther, !request.isSafe, let origin = access.origin(of: request) {
      response.headers.append(("Set-Cookie", entrance.turn(at: origin)))
    }
    return response
  }

  /// The paths of the pages that the browser of the current request may see.
  var links: Links {
    var links = allLinks
    if Self.reach != .everything { links.isForOneFlow = true }
    return links
  }

  /// Responds to a refused request. Gives an explanation only if a user may have sent it.
  private func refused(_ refusal: RequestGuard.Refusal) -> HTTPResponse {
    guard refusal == .wrongHost, let origin = access.knownOrigins.first else { return HTTPResponse(refusal.status) }
    return HTTPResponse(
      refusal.status, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: .bytes(Array("These pages are available only at \(origin.description).\n".utf8)))
  }

  private func answer(_ route: Route, _ visit: Visit) async -> HTTPResponse {
    do throws(ClientError) {
      switch route {
      case .home: return try await home(visit)
      case .homeEvents: return try await homeEvents(visit)
      case .flows: return try await start(visit.form["flow"] ?? "", visit)
      case .input(let flow): return try await input(of: flow, visit)
      case .tree(let tree): return try await show(nil, of: tree, visit)
      case .events(let tree): return try await events(of: tree, visit)
      case .phone(let tree): return try await phone(of: tree, visit)
      case .screen(let id, let tree):
        return visit.request.isSafe ? try await show(id, of: tree, visit) : try await take(id, of: tree, visit)
      case .again(let tree): return try await startAgain(after: tree, visit)
      case .alive(let tree): return try await stayAlive(in: tree, visit)
      case .ending(let id, let tree):
        return visit.request.isSafe ? try await askWhetherToEnd(id, of: tree, visit) : try await end(id, of: tree, visit)
      case .asking(let id, let tree): return try await ask(id, of: tree, visit)
      case .back(let id, let tree): return try await back(from: id, of: tree, visit)
      case .returning(let id, let tree): return try await goBack(to: id, of: tree, visit)
      case .draft(let id, let tree): return try await keepDraft(of: id, of: tree, visit)
      case .asset, .accent: return asset(route, visit.request)
      }
    } catch let error where error.isAway {
      return .page(PlainPage.daemonAway(links, awaiting: route.page(links)).html, status: .unavailable)
    } catch {
      return .page(PlainPage.failed(links, error.sentence).html, status: .internalError)
    }
  }

  private func asset(_ route: Route, _ request: HTTPRequest) -> HTTPResponse {
    guard request.isSafe else { return HTTPResponse(.methodNotAllowed, headers: [("Allow", route.allowed)]) }
    switch route {
    case .asset(let name): return links.look.asset(named: name)?.response ?? HTTPResponse(.notFound)
    case .accent(let accent): return .asset("text/css; charset=utf-8", Array(links.look.stylesheet(of: accent).utf8))
    default: return HTTPResponse(.notFound)
    }
  }
}

extension Route {
  /// The accepted methods, formatted for `Allow`.
  fileprivate var allowed: String {
    let isRead = takes(.get)
    return takes(.post) ? (isRead ? "GET, HEAD, POST" : "POST") : "GET, HEAD"
  }
}

/// Handles drafts.
extension Site {
  /// Saves a draft, so that it survives a reload and appears in all other renderers.
  ///
  /// The browser may send a draft and the answer at the same time. A draft that arrives after its screen was answered is
  /// dropped, which is not an error.
  func keepDraft(of id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let form = visit.form
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let top = await watch.wait()?.window?.top, top.id == id, let path = path(of: tree),
        let router = try? Contract.routerPath(of: path)
      else { return HTTPResponse(.noContent) }
      let answer = FormAnswer(form, fields: top.screen.form?.fields ?? [])
      let draft = answer.draft(replacing: form.all("touched"), in: top.draft)
      do throws(ClientError) {
        try await daemon.router(router).saveDraft(screen: id, values: draft)
      } catch .refused, .failed {
        // The draft is too large, or the screen is gone. There is nothing to save.
        return HTTPResponse(.noContent)
      }
      await watch.drafted(draft, on: id, by: form["page"] ?? "", visitor(of: visit))
      access.updateDrafts(of: visit.session.cookie) { drafts in
        guard var draft = drafts.draft(of: id, in: tree) else { return }
        draft.correct(with: answer, filled: form.all("filled"), fields: top.screen.form?.fields ?? [])
        drafts.keep(draft, in: tree)
      }
      return HTTPResponse(.noContent)
    }
    return response ?? unseen(tree)
  }
}

/// Serves the list of flows.
extension Site {
  /// Shows the list of flows; for a single flow, redirects to it.
  func home(_ visit: Visit) async throws(ClientError) -> HTTPResponse {
    if links.isForOneFlow { return .seeOther(firstPage) }
    let home = try await knocking(visit) { door throws(ClientError) in try await door.current() }
    return .page(
      HomePage(
        links: links, token: visit.token, home: home, find: String((visit.request.query[HomePage.findName] ?? "").prefix(200)),
        now: Timestamp.now.microseconds
      ).html)
  }

  /// Notifies a browser whenever the list has changed.
  func homeEvents(_ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard !links.isForOneFlow else { return notFound }
    let language = try await language(of: visit)
    let door = try await doors.retain(language)
    return listening(visit, to: await door.events()) { [doors] in await doors.release(language) }
  }

  private func knocking<Result: Sendable>(
    _ visit: Visit, _ body: (FrontDoor) async throws(ClientError) -> Result
  ) async throws(ClientError) -> Result {
    let language = try await language(of: visit)
    let door = try await doors.retain(language)
    do {
      let result = try await body(door)
      await doors.release(language)
      return result
    } catch {
      await doors.release(language)
      throw error
    }
  }
}
