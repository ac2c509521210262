/// Where the pages are and what the cookie is called: both random, so that no other server on this machine gets to see the cookie.
///
/// Browsers send a cookie to all ports of a host, but only below its path.
public struct Entrance: Sendable, Hashable {
  /// The first element of the path of every page.
  public let prefix: String

  /// A new one.
  public init() {
    prefix = String(Token().text.prefix(16))
  }

  /// The cookie that is another after each answer, and means nothing.
  ///
  /// A browser without scripts may show a page from its memory when its user goes back, although no page is to be stored: Chromium does
  /// so unless a cookie that no script sees has changed since.
  ///
  /// - Parameter origin: The address that the browser uses.
  /// - Returns: The value of `Set-Cookie`.
  func turn(at origin: Origin) -> String { cookie("coordinator-web-turn", String(Token().text.prefix(8)), origin) }

  /// What the cookie is called.
  public static let cookieName = "coordinator-web"

  /// The cookie that lets a browser in from now on.
  ///
  /// - Parameters:
  ///   - session: Its session.
  ///   - origin: The address that the browser uses.
  /// - Returns: The value of `Set-Cookie`.
  public func cookie(for session: Session, at origin: Origin) -> String {
    cookie(Self.cookieName, session.cookie.text, origin)
  }

  private func cookie(_ name: String, _ value: String, _ origin: Origin) -> String {
    let secure = origin.scheme == "https" ? "; Secure" : ""
    return "\(name)=\(value); Path=/\(prefix)/; HttpOnly; SameSite=Strict\(secure)"
  }
}
