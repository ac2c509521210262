import Platform

/// Admits browsers: checks their requests, manages their sessions, and announces the address for the next browser. Safe to use
/// concurrently.
final class BrowserAccess: Sendable {
  private let sessions = Lock(Sessions())
  /// The check of all requests. Its origins change with the addresses of this machine.
  private let gate: Lock<RequestGuard>
  /// Returns the origins under which browsers currently address the server.
  private let origins: @Sendable () -> [Origin]
  private let entrance: Entrance
  private let links: Links
  /// Whether browsers of other machines are admitted, by codes that expire.
  private let isOnNetwork: Bool
  /// The announced code; nil unless the server is on the network.
  private let announced = Lock<Passes.Pass?>(nil)
  private let announce: @Sendable (EntryAddress) -> Void

  /// Creates the access to a site, and announces the first entry URL.
  ///
  /// - Parameters:
  ///   - entrance: entrance of the site.
  ///   - links: paths of the pages.
  ///   - origins: closure that returns the current origins under which browsers address the server; the first one is announced.
  ///   - isOnNetwork: whether browsers of other machines reach the server directly.
  ///   - announce: closure that receives each entry address.
  init(
    to entrance: Entrance, links: Links, origins: @escaping @Sendable () -> [Origin], isOnNetwork: Bool,
    announce: @escaping @Sendable (EntryAddress) -> Void
  ) {
    (self.entrance, self.links, self.isOnNetwork) = (entrance, links, isOnNetwork)
    (self.origins, self.announce) = (origins, announce)
    gate = Lock(RequestGuard(origins: origins()))
    announceEntry(.start)
  }

  // MARK: Requests

  /// Decides about a request. An unknown address of the server may be one that this machine has received since.
  func verdict(on request: HTTPRequest, _ session: Session?) -> RequestGuard.Verdict {
    let verdict = gate.withLock { $0.verdict(on: request, session: session) }
    guard verdict == .refused(.wrongHost), isOnNetwork, knownOrigins != currentOrigins() else { return verdict }
    return gate.withLock { $0.verdict(on: request, session: session) }
  }

  /// The origins as of the last query.
  var knownOrigins: [Origin] { gate.withLock { $0.origins } }

  /// Queries the origins, which change with the addresses of this machine.
  private func currentOrigins() -> [Origin] {
    let current = origins()
    gate.withLock { $0.origins = current }
    return current
  }

  /// Returns the origin that a request was sent to; nil if it is not an origin of this server.
  func origin(of request: HTTPRequest) -> Origin? { gate.withLock { $0.origin(of: request) } }

  // MARK: Sessions

  /// Returns the session that the cookies of a request identify, and records its use.
  func session(for cookies: [String]) -> Session? { sessions.withLock { $0.use(cookies) } }

  /// Returns the header field that gives a browser the cookie of its session.
  func cookie(for session: Session, at origin: Origin) -> (name: String, value: String) {
    ("Set-Cookie", entrance.cookie(for: session, at: origin))
  }

  /// Updates the drafts of a session. Does nothing if the session does not exist.
  func updateDrafts(of cookie: Token, _ body: (inout Drafts) -> Void) {
    sessions.withLock { $0.updateDrafts(of: cookie, body) }
  }

  /// Records that a page of a session begins to listen for events.
  func beginListening(_ cookie: Token) { sessions.withLock { $0.beginListening(cookie) } }

  /// Records that a page of a session no longer listens for events.
  func endListening(_ cookie: Token) { sessions.withLock { $0.endListening(cookie) } }

  // MARK: Entry

  /// Admits a browser that presents the entry token, uses the token up, and announces the next one.
  ///
  /// - Parameters:
  ///   - token: token in the URL.
  ///   - cookie: cookie of the browser's session; nil if it has none.
  /// - Returns: the session, or nil if the token is wrong.
  func enter(with token: String?, as cookie: Token? = nil) -> Session? {
    guard let session = sessions.withLock({ $0.enter(with: token, as: cookie) }) else { return nil }
    announceEntry(.use)
    return session
  }

  /// Returns whether a code currently admits a browser.
  func knows(_ code: String) -> Bool { sessions.withLock { $0.knows(code) } }

  /// Admits a browser that presents a code, and uses the code up. If it was the announced one, announces the next one.
  ///
  /// - Parameters:
  ///   - code: code in the URL.
  ///   - cookie: cookie of the browser's session; nil if it has none.
  /// - Returns: the session and the pass; nil if the code is wrong, used up or expired.
  func enter(withCode code: String, as cookie: Token?) -> (session: Session, pass: Passes.Pass)? {
    guard let entered = sessions.withLock({ $0.enter(withCode: code, as: cookie) }) else { return nil }
    if entered.pass == announcedPass { announceEntry(.use) }
    return entered
  }

  /// Issues an address that admits a browser to a tree.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - owner: cookie of the session that requests the address; nil for the server.
  /// - Returns: the address and its pass; nil if the server has no address.
  func invite(to tree: String, by owner: Token?) -> (entry: EntryAddress, pass: Passes.Pass)? {
    guard let origin = currentOrigins().first else { return nil }
    let pass = sessions.withLock { $0.issuePass(to: tree, by: owner) }
    return (EntryAddress(origin, pass.code, .start), pass)
  }

  /// The pass with the announced code; nil unless the server is on the network.
  var announcedPass: Passes.Pass? { announced.withLock { $0 } }

  /// Announces an entry address.
  ///
  /// - Parameters:
  ///   - occasion: why it is announced.
  ///   - now: time of issue.
  func announceEntry(_ occasion: EntryAddress.Occasion, at now: ContinuousClock.Instant = .now) {
    guard let origin = currentOrigins().first else { return }
    guard isOnNetwork else { return announce(EntryAddress(origin, path: links.entry(sessions.withLock { $0.entry }), occasion)) }
    // Issued and recorded in one step: of two codes, the first one becomes worthless, and must not be recorded last.
    let pass = announced.withLock { announced in
      let pass = sessions.withLock { $0.issuePass(at: now) }
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
    while let pass = announcedPass {
      do {
        try await Task.sleep(until: pass.expiry, clock: .continuous)
      } catch {
        return
      }
      guard pass == announcedPass else { continue }
      if let asking = ask, await !asking() { ask = nil }
      if Task.isCancelled { return }
      announceEntry(.expiry)
    }
  }
}
