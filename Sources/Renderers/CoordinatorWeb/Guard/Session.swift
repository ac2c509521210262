/// A browser that was let in.
public struct Session: Sendable {
  /// What its cookie holds.
  public let cookie: Token
  /// What each of its forms has to bring back.
  public let csrf: Token
  /// What was typed in its pages and is not answered yet.
  public var drafts = Drafts()

  /// A session of a browser that is let in now.
  public init() {
    cookie = Token()
    csrf = Token()
  }
}
