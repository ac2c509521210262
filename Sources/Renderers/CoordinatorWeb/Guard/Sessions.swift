/// The sessions, and the entry token for the next browser.
///
/// A token lets one browser in and is then replaced. A URL found in a history, a log or a process list is therefore
/// worthless.
public struct Sessions: Sendable {
  /// The maximum number of sessions; beyond it, the oldest is dropped.
  public static let maximumCount = 32

  /// The token that lets the next browser in.
  public private(set) var entry = Token()
  /// The codes for browsers of other machines.
  private var passes = Passes()
  private var sessions: [Session] = []

  /// Creates an empty set of sessions.
  public init() {}

  /// Creates a session for a browser that presents the entry token.
  ///
  /// - Parameter token: token in the URL.
  /// - Returns: the new session, or nil if the token is wrong.
  public mutating func enter(with token: String?) -> Session? {
    useUp(token) ? newSession() : nil
  }

  /// Issues a code that lets a browser of another machine in.
  ///
  /// - Parameters:
  ///   - tree: flow tree to show first; nil for the first page.
  ///   - now: time of issue.
  /// - Returns: the pass with the code.
  mutating func issuePass(to tree: String? = nil, at now: ContinuousClock.Instant = .now) -> Passes.Pass {
    passes.issue(for: tree, at: now)
  }

  /// Makes a code invalid.
  mutating func withdraw(_ pass: Passes.Pass) { passes.withdraw(pass) }

  /// Creates a session for a browser that presents a code, and uses the code up.
  ///
  /// - Parameters:
  ///   - code: code in the URL.
  ///   - now: time of the request.
  /// - Returns: the new session and the pass; nil if the code is wrong, used up or expired.
  mutating func enter(
    withCode code: String, at now: ContinuousClock.Instant = .now
  ) -> (session: Session, pass: Passes.Pass)? {
    passes.use(code, at: now).map { (newSession(), $0) }
  }

  private mutating func newSession() -> Session {
    let session = Session()
    if sessions.count >= Self.maximumCount { sessions.removeFirst() }
    sessions.append(session)
    return session
  }

  /// Replaces the entry token if it is presented. This applies to a browser with a session as well, because from then
  /// on the URL is in its history.
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
    sessions.first { session in cookies.contains { session.cookie.matches($0) } }
  }

  /// Updates the drafts of a session. Does nothing if the session does not exist.
  ///
  /// - Parameters:
  ///   - cookie: cookie of the session.
  ///   - body: closure that changes the drafts.
  public mutating func updateDrafts(of cookie: Token, _ body: (inout Drafts) -> Void) {
    guard let index = sessions.firstIndex(where: { $0.cookie == cookie }) else { return }
    body(&sessions[index].drafts)
  }
}
