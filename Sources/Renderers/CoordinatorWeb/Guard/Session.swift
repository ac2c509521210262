/// The session of a browser that was let in.
public struct Session: Sendable {
  /// The value of the session cookie.
  public let cookie: Token
  /// The token that each of its forms must send.
  public let csrf: Token
  /// What the browser may see.
  var reach = Reach.everything
  /// What was typed in its pages but not answered yet.
  public var drafts = Drafts()

  /// Creates a session with random tokens.
  public init() {
    cookie = Token()
    csrf = Token()
  }
}
