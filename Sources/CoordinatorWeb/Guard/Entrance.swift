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

  /// What the cookie is called.
  public static let cookieName = "coordinator-web"

  /// The cookie that lets a browser in from now on.
  ///
  /// - Parameters:
  ///   - session: Its session.
  ///   - origin: The address that the browser uses.
  /// - Returns: The value of `Set-Cookie`.
  public func cookie(for session: Session, at origin: Origin) -> String {
    let secure = origin.scheme == "https" ? "; Secure" : ""
    return "\(Self.cookieName)=\(session.cookie.text); Path=/\(prefix)/; HttpOnly; SameSite=Strict\(secure)"
  }
}
