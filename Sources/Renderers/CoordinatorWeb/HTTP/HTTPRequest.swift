/// A request that was received whole, and is well-formed.
public struct HTTPRequest: Sendable, Hashable {
  /// The methods that this server knows.
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  /// What is to be done.
  public var method: Method
  /// The elements of the path, decoded; none is empty, `.` or `..`. Empty for `/`.
  public var path: [String]
  /// What follows the question mark; of a name given twice the first one counts.
  public var query: [String: String]
  /// The header fields.
  public var headers: HTTPHeaders
  /// What was sent along.
  public var body: [UInt8]

  /// A request with everything that was received.
  public init(
    method: Method, path: [String], query: [String: String] = [:], headers: HTTPHeaders = HTTPHeaders(),
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Whether it only asks, and changes nothing.
  public var isSafe: Bool { method != .post }
}
