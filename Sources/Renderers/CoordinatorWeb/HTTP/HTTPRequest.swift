/// A complete and well-formed request.
public struct HTTPRequest: Sendable, Hashable {
  /// The supported methods.
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  /// The method.
  public var method: Method
  /// The decoded segments of the path; none is empty, `.` or `..`. Empty for `/`.
  public var path: [String]
  /// The query. If a name occurs several times, its first value is used.
  public var query: [String: String]
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]

  /// Creates a request with the given parts.
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

  /// Whether the method is safe (RFC 9110, section 9.2.1): the request changes nothing.
  public var isSafe: Bool { method != .post }
}
