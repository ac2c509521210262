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
