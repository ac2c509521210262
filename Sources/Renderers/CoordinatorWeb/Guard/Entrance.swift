/// The random path of the pages, and their cookies. Keeps the session cookie from other servers on this machine.
///
/// Browsers send a cookie to all ports of a host, but only below the cookie's path (RFC 6265, section 8.5).
public struct Entrance: Sendable, Hashable {
  /// The first segment of every page's path.
  public let prefix: String

  /// Creates an entrance with a random path.
  public init() {
    prefix = String(Token().text.prefix(16))
  }

  /// Returns a cookie whose value changes with each answer and has no meaning.
  ///
  /// Without JavaScript, a browser may show a page from memory when its user goes back, despite `no-store`. Chromium
  /// does so unless an `HttpOnly` cookie has changed since.
  ///
  /// - Parameter origin: origin that the browser uses.
  /// - Returns: the value of `Set-Cookie`.
  func turn(at origin: Origin) -> String { cookie("coordinator-web-turn", String(Token().text.prefix(8)), origin) }

  /// The name of the session cookie.
  public static let cookieName = "coordinator-web"

  /// Returns the cookie that identifies a session.
  ///
  /// - Parameters:
  ///   - session: session of the browser.
  ///   - origin: origin that the browser uses.
  /// - Returns: the value of `Set-Cookie`.
  public func cookie(for session: Session, at origin: Origin) -> String {
    cookie(Self.cookieName, session.cookie.text, origin)
  }

  private func cookie(_ name: String, _ value: String, _ origin: Origin) -> String {
    let secure = origin.scheme == "https" ? "; Secure" : ""
    return "\(name)=\(value); Path=/\(prefix)/; HttpOnly; SameSite=Strict\(secure)"
  }
}
