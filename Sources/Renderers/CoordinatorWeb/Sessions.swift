/// The sessions, and the entry token for the next browser.
///
/// A token admits one browser and is then replaced. A URL found in a history, a log or a process list is therefore worthless.
public struct Sessions: Sendable {
  /// A session, and the data that decides whether it is dropped in favor of another one.
  private struct Entry: Sendable {
    var session: Session
    /// The number of the last request; later ones have larger numbers.
    var lastUse: Int
    /// The number of its pages that listen for events, which means that they are open on a screen.
    var listeners = 0
    /// The sessions that are responsible for this one: the host that admitted it, and, if it used a guest's code, the host's
    /// own guest through whom it came, directly or through other guests. Empty for a host, which the server itself admitted.
    var inviters: [Token]
  }

  /// The maximum number of hosts' sessions. Beyond it, the least recently used session without an open page is dropped. Guests
  /// do not count: their number never causes a host's session to be dropped.
  public static let maximumCount = 32
  /// The maximum number of guests. Beyond it, a guest of the host with the most guests is dropped.
  static let maximumGuestCount = 32
  /// The maximum number of guests of one host, including the guests of its guests.
  static let maximumCountPerHost = 16
  /// The maximum number of guests that came through one guest.
  static let maximumCountPerGuest = 4

  /// The token that admits the next browser.
  public private(set) var entry = Token()
  /// The codes for browsers of other machines.
  private var passes = Passes()
  private var entries: [Entry] = []
  /// The number of requests so far.
  private var uses = 0

  /// Creates an empty set of sessions.
  public init() {}

  /// Admits a browser that presents the entry token, and uses the token up. A browser that has a session keeps it: from then on
  /// it sees everything that the server shows, even if a code gave it less.
  ///
  /// - Parameters:
  ///   - token: token in the URL.
  ///   - cookie: cookie of the browser's session; nil if it has none.
  /// - Returns: the session, or nil if the token is wrong.
  public mutating func enter(with token: String?, as cookie: Token? = nil) -> Session? {
    guard useUp(token) else { return nil }
    guard entries.contains(where: { $0.session.cookie == cookie }) else { return newSession() }
    change(cookie) { entry in
      entry.session.reach.extend(by: nil)
      entry.inviters = []
    }
    return entries.first { $0.session.cookie == cookie }?.session
  }

  /// Issues a code that admits a browser of another machine.
  ///
  /// - Parameters:
  ///   - tree: flow tree to show first; nil for the first page.
  ///   - owner: cookie of the session that requests the code; nil for the code that the server announces.
  ///   - now: time of issue.
  /// - Returns: the pass with the code.
  mutating func issuePass(
    to tree: String? = nil, by owner: Token? = nil, at now: ContinuousClock.Instant = .now
  ) -> Passes.Pass { passes.issue(for: tree, by: owner, at: now) }

  /// Returns whether a code currently admits a browser.
  func knows(_ code: String, at now: ContinuousClock.Instant = .now) -> Bool { passes.knows(code, at: now) }

  /// Admits a browser that presents a code, and uses the code up. A browser that has a session keeps it.
  ///
  /// - Parameters:
  ///   - code: code in the URL.
  ///   - cookie: cookie of the browser's session; nil if it has none.
  ///   - now: time of the request.
  /// - Returns: the session and the pass; nil if the code is wrong, used up or expired.
  mutating func enter(
    withCode code: String, as cookie: Token? = nil, at now: ContinuousClock.Instant = .now
  ) -> (session: Session, pass: Passes.Pass)? {
    guard let pass = passes.use(code, at: now) else { return nil }
    let isIn = entries.contains { $0.session.cookie == cookie }
    let session = isIn ? cookie : newSession(Reach(codeFor: pass.tree), invitedBy: pass.owner).cookie
    change(session) { entry in
      entry.session.reach.extend(by: pass.tree)
      if pass.owner == nil { entry.inviters = [] }
    }
    return entries.first { $0.session.cookie == session }.map { ($0.session, pass) }
  }

  private mutating func newSession(_ reach: Reach = .everything, invitedBy owner: Token? = nil) -> Session {
    var session = Session()
    session.reach = reach
    let inviters = owner.map(inviters(through:)) ?? []
    makeRoom(for: inviters, invitedBy: owner)
    uses += 1
    entries.append(Entry(session: session, lastUse: uses, inviters: inviters))
    return session
  }

  /// Returns the sessions that are responsible for a browser that another session admits.
  private func inviters(through owner: Token) -> [Token] {
    let own = entries.first { $0.session.cookie == owner }?.inviters ?? []
    return own.count < 2 ? own + [owner] : own
  }

  /// Drops a session in favor of a new one, if there are too many of its kind. Each inviter may have few, and its own guests
  /// are dropped first. Never drops the sessions that are responsible for the new one.
  private mutating func makeRoom(for inviters: [Token], invitedBy owner: Token?) {
    guard !inviters.isEmpty else {
      let hosts = entries.indices.filter { entries[$0].inviters.isEmpty }
      return dropMostDispensable(of: hosts, above: Self.maximumCount)
    }
    let isSpared = { (entry: Entry) in inviters.contains(entry.session.cookie) || entry.session.cookie == owner }
    let limits = [Self.maximumCountPerHost, Self.maximumCountPerGuest]
    for (inviter, limit) in zip(inviters, limits).reversed() {
      let guests = entries.indices.filter { entries[$0].inviters.contains(inviter) }
      guard guests.count >= limit else { continue }
      return dropMostDispensable(of: guests.filter { !isSpared(entries[$0]) }, above: 1)
    }
    let guests = entries.indices.filter { !entries[$0].inviters.isEmpty }
    guard guests.count >= Self.maximumGuestCount else { return }
    let counts = guests.reduce(into: [Token: Int]()) { $0[entries[$1].inviters[0], default: 0] += 1 }
    let most = counts.values.max()
    dropMostDispensable(of: guests.filter { counts[entries[$0].inviters[0]] == most && !isSpared(entries[$0]) }, above: 1)
  }

  /// Drops one of the sessions at these indices if the limit is reached: the least recently used one without an open page.
  /// There are more sessions than pages can listen, so a host's session with an open page is never dropped.
  private mutating func dropMostDispensable(of indices: [Int], above limit: Int) {
    guard indices.count >= limit else { return }
    let least = indices.min { first, second in
      let (first, second) = (entries[first], entries[second])
      guard (first.listeners == 0) == (second.listeners == 0) else { return first.listeners == 0 }
      return first.lastUse < second.lastUse
    }
    guard let least else { return }
    // A dropped session must not admit others.
    passes.revoke(of: entries.remove(at: least).session.cookie)
  }

  /// Replaces the entry token if it is presented. This applies to a browser with a session as well, because from then on the
  /// URL is in its history.
  ///
  /// - Parameter token: token in the URL.
  /// - Returns: whether it was the entry token.
  public mutating func useUp(_ token: String?) -> Bool {
    guard entry.matches(token) else { return false }
    entry = Token()
    return true
  }

  /// Returns the session that cookies identify. All cookies are tried, because servers on other ports of this host can
  /// set cookies of the same name.
  ///
  /// - Parameter cookies: values of all session cookies.
  /// - Returns: the session, or nil if no cookie is known.
  public func session(for cookies: [String]) -> Session? {
    index(of: cookies).map { entries[$0].session }
  }

  /// Returns the session that the cookies of a request identify, and records its use.
  mutating func use(_ cookies: [String]) -> Session? {
    guard let index = index(of: cookies) else { return nil }
    uses += 1
    entries[index].lastUse = uses
    return entries[index].session
  }

  private func index(of cookies: [String]) -> Int? {
    entries.firstIndex { entry in cookies.contains { entry.session.cookie.matches($0) } }
  }

  /// Records that a page of a session begins to listen for events.
  mutating func beginListening(_ cookie: Token) { change(cookie) { $0.listeners += 1 } }

  /// Records that a page of a session no longer listens for events.
  mutating func endListening(_ cookie: Token) {
    // The session was in use until now.
    uses += 1
    let now = uses
    change(cookie) { ($0.listeners, $0.lastUse) = ($0.listeners - 1, now) }
  }

  private mutating func change(_ cookie: Token?, _ body: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.session.cookie == cookie }) else { return }
    body(&entries[index])
  }

  /// Updates the drafts of a session. Does nothing if the session does not exist.
  ///
  /// - Parameters:
  ///   - cookie: cookie of the session.
  ///   - body: closure that changes the drafts.
  public mutating func updateDrafts(of cookie: Token, _ body: (inout Drafts) -> Void) {
    change(cookie) { body(&$0.session.drafts) }
  }
}

/// The session of a browser that was admitted.
public struct Session: Sendable {
  /// The value of the session cookie.
  public let cookie: Token
  /// The token that each of its forms must send.
  public let csrf: Token
  /// The flow trees that the browser may see.
  var reach = Reach.everything
  /// The unsent input of its pages.
  public var drafts = Drafts()

  /// Creates a session with random tokens.
  public init() {
    cookie = Token()
    csrf = Token()
  }
}

/// The part of the server's flow trees that the session of a browser may see.
enum Reach: Sendable, Hashable {
  /// Everything that the server shows.
  case everything
  /// The flow trees of its codes, the newest last.
  case trees([String])

  /// The maximum number of trees; beyond it, the oldest is dropped.
  static let mostTrees = 8

  /// Creates the reach that a code gives to a browser.
  ///
  /// - Parameter tree: flow tree of the code; nil for a code for everything.
  init(codeFor tree: String?) { self = tree.map { .trees([$0]) } ?? .everything }

  /// The tree that the browser was admitted to last; nil if it was admitted to everything.
  var tree: String? { if case .trees(let trees) = self { trees.last } else { nil } }

  /// Returns whether a tree is within reach; nil if the server alone decides it.
  func allows(_ tree: String) -> Bool? { if case .trees(let trees) = self { trees.contains(tree) } else { nil } }

  /// Extends the reach by that of another code. It never shrinks, except by the oldest trees.
  mutating func extend(by tree: String?) {
    guard case .trees(let trees) = self else { return }
    guard let tree else { return self = .everything }
    self = .trees((trees.filter { $0 != tree } + [tree]).suffix(Self.mostTrees))
  }
}
