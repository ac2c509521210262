/// Who was let in, and the token that lets the next one in.
///
/// A token lets one browser in; then there is another. So a URL that lies around in a history, a log or a list of processes is of no use
/// to whoever finds it.
public struct Sessions: Sendable {
  /// How many browsers may be in at once; the one that came first goes.
  public static let maximumCount = 32

  /// Lets the next browser in.
  public private(set) var entry = Token()
  private var sessions: [Session] = []

  /// Nobody.
  public init() {}

  /// Lets a browser in that has the token.
  ///
  /// - Parameter token: What its URL holds.
  /// - Returns: Its session; nil if it is not the token.
  public mutating func enter(with token: String?) -> Session? {
    guard useUp(token) else { return nil }
    let session = Session()
    if sessions.count >= Self.maximumCount { sessions.removeFirst() }
    sessions.append(session)
    return session
  }

  /// Makes the token worthless, and has another in its place: also if the browser that shows it is in already, since its address is in a
  /// history from then on.
  ///
  /// - Parameter token: What a URL holds.
  /// - Returns: Whether it was the token.
  public mutating func useUp(_ token: String?) -> Bool {
    guard entry.matches(token) else { return false }
    entry = Token()
    return true
  }

  /// The session that cookies stand for. Servers on other ports of this host can set cookies of the same name, so all are looked at.
  ///
  /// - Parameter cookies: The values of all cookies of our name.
  /// - Returns: nil if none of them is known.
  public func session(for cookies: [String]) -> Session? {
    sessions.first { session in cookies.contains { session.cookie.matches($0) } }
  }

  /// Changes what was typed in a session's pages.
  ///
  /// - Parameters:
  ///   - cookie: Which session.
  ///   - body: Changes it.
  public mutating func updateDrafts(of cookie: Token, _ body: (inout Drafts) -> Void) {
    guard let index = sessions.firstIndex(where: { $0.cookie == cookie }) else { return }
    body(&sessions[index].drafts)
  }
}
