import CoordinatorBus
import CoordinatorClient
import RendererKit

/// Admits browsers, and determines the addresses for them.
extension Site {
  // MARK: Addresses

  /// Decides about a request. An unknown address of the server may be one that this machine has received since.
  func verdict(on request: HTTPRequest, _ session: Session?) -> RequestGuard.Verdict {
    let verdict = gate.withLock { $0.verdict(on: request, session: session) }
    guard verdict == .refused(.wrongHost), isOnNetwork, knownOrigins != currentOrigins() else { return verdict }
    return gate.withLock { $0.verdict(on: request, session: session) }
  }

  /// The origins as of the last query.
  var knownOrigins: [Origin] { gate.withLock { $0.origins } }

  /// Queries the origins, which change with the addresses of this machine.
  @discardableResult
  func currentOrigins() -> [Origin] {
    let current = origins()
    gate.withLock { $0.origins = current }
    return current
  }

  /// Returns the origin that a request was sent to; nil if it is not an origin of this server.
  func origin(of request: HTTPRequest) -> Origin? { gate.withLock { $0.origin(of: request) } }

  // MARK: Entry

  func letIn(_ request: HTTPRequest, _ route: Route?) -> HTTPResponse {
    guard request.method == .get, route == .home, let origin = origin(of: request),
      let session = sessions.withLock({ $0.enter(with: request.query[Links.tokenName]) })
    else { return .page(PlainPage.stranger(links).html, status: .forbidden) }
    announceEntry(.use)
    var response = HTTPResponse.page(EntryPage(links: links, target: firstPage).html)
    response.headers.append(("Set-Cookie", entrance.cookie(for: session, at: origin)))
    return response
  }

  /// Handles an entry URL opened by a browser with a session: uses the token up, and redirects to hide it.
  func enterAgain(with token: String, _ session: Session) -> HTTPResponse {
    guard let entered = sessions.withLock({ $0.enter(with: token, as: session.cookie) }) else { return .seeOther(firstPage) }
    announceEntry(.use)
    return .seeOther(firstPage(for: entered))
  }

  /// Returns the first page of a browser that has just been admitted, which may see more now than at its request.
  private func firstPage(for session: Session) -> String { Self.$reach.withValue(session.reach) { firstPage } }

  var firstPage: String {
    if let tree = Self.reach.tree ?? scope.tree.map(TreeSelector.name) { return links.tree(tree) }
    if case .offer(let offered) = scope { return links.input(of: offered.offer.flow.name) }
    return links.home
  }

  /// Handles the address of a code: redirects to a path to which a browser also sends its session cookie.
  func lead(withCode code: String, _ request: HTTPRequest) -> HTTPResponse {
    guard request.method == .get else { return .page(PlainPage.expired(links).html, status: .forbidden) }
    let isKnown = sessions.withLock { $0.knows(code) }
    return .page(EntryPage(links: links, target: links.entry(withCode: code)).html, status: isKnown ? .ok : .forbidden)
  }

  /// Admits a browser with a code, and uses the code up. A browser that has a session keeps it, even if the code is worthless,
  /// because it may have reopened the page that admitted it before.
  func enter(withCode code: String, _ session: Session?, _ request: HTTPRequest) async -> HTTPResponse {
    guard let origin = origin(of: request), let code = EntryCode.typed(code),
      let (entered, pass) = sessions.withLock({ $0.enter(withCode: code, as: session?.cookie) })
    else { return session == nil ? .page(PlainPage.expired(links).html, status: .forbidden) : .seeOther(firstPage) }
    if pass == announced.withLock({ $0 }) { announceEntry(.use) }
    if let tree = pass.tree, let path = try? Contract.flowPath(root: tree) { await trees.known(path)?.entered(pass.number) }
    var response = HTTPResponse.seeOther(pass.tree.map { links.tree($0) } ?? firstPage(for: entered))
    response.headers.append(("Set-Cookie", entrance.cookie(for: entered, at: origin)))
    return response
  }

  /// Issues an address that admits a phone to a tree; nil if this machine has no address that a phone could reach.
  func invite(to tree: String, _ visit: Visit) -> (entry: EntryAddress, pass: Passes.Pass)? {
    guard isConnected(), let origin = currentOrigins().first else { return nil }
    let pass = sessions.withLock { $0.issuePass(to: tree, by: visit.session.cookie) }
    return (EntryAddress(origin, pass.code, .start), pass)
  }

  func announceEntry(_ occasion: EntryAddress.Occasion) {
    guard let origin = currentOrigins().first else { return }
    guard isOnNetwork else { return announce(EntryAddress(origin, path: links.entry(sessions.withLock { $0.entry }), occasion)) }
    // Issued and recorded in one step: of two codes, the first one becomes worthless, and must not be recorded last.
    let pass = announced.withLock { announced in
      let pass = sessions.withLock { $0.issuePass() }
      announced = pass
      return pass
    }
    announce(EntryAddress(origin, pass.code, occasion))
  }

  /// Announces a new address whenever the announced one has expired, until the task is cancelled. Returns at once if addresses
  /// do not expire.
  ///
  /// - Parameter ask: closure that waits until a user wants another address, and returns whether a user can still be asked; nil
  ///   to announce a new address at once, which is also done when no user can be asked any more.
  func renewEntries(_ ask: (@Sendable () async -> Bool)? = nil) async {
    var ask = ask
    while let pass = announced.withLock({ $0 }) {
      do {
        try await Task.sleep(until: pass.expiry, clock: .continuous)
      } catch {
        return
      }
      guard pass == announced.withLock({ $0 }) else { continue }
      if let asking = ask, await !asking() { ask = nil }
      if Task.isCancelled { return }
      announceEntry(.expiry)
    }
  }
}
