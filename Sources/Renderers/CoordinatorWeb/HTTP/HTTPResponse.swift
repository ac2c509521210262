/// What a request is answered with.
public struct HTTPResponse: Sendable {
  /// What follows the header fields.
  public enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// Events, for as long as the browser listens; what to do when it does not any more.
    case events(AsyncStream<ServerSentEvent>, whenOver: @Sendable () async -> Void)
  }

  /// How the request was answered.
  public var status: HTTPStatus
  /// The header fields besides those that every answer has.
  public var headers: [(name: String, value: String)]
  /// What follows them.
  public var body: Body

  /// An answer with these parts.
  public init(_ status: HTTPStatus, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A page.
  ///
  /// - Parameters:
  ///   - page: The whole of it.
  ///   - status: How the request was answered.
  /// - Returns: The answer.
  public static func page(_ page: HTML, status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, headers: [("Content-Type", "text/html; charset=utf-8")], body: .bytes(Array(page.markup.utf8)))
  }

  /// Sends the browser on to another page, which it gets with GET.
  ///
  /// - Parameter location: The path of the page.
  /// - Returns: The answer.
  public static func seeOther(_ location: String) -> HTTPResponse {
    HTTPResponse(.seeOther, headers: [("Location", location)])
  }

  /// A file that belongs to the pages, and never changes under its name.
  ///
  /// - Parameters:
  ///   - type: Its media type.
  ///   - bytes: What is in it.
  /// - Returns: The answer.
  public static func asset(_ type: String, _ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      .ok, headers: [("Content-Type", type), ("Cache-Control", "private, max-age=31536000, immutable")], body: .bytes(bytes))
  }

  /// The status line and all header fields, ready to be sent.
  public var head: [UInt8] {
    var fields = headers
    if !headers.contains(where: { $0.name == "Cache-Control" }) { fields.append(("Cache-Control", "no-store")) }
    if case .bytes(let bytes) = body, status != .noContent { fields.append(("Content-Length", String(bytes.count))) }
    let lines =
      ["HTTP/1.1 \(status.rawValue) \(status.phrase)"] + (fields + Self.always).map { "\($0.name): \($0.value.asFieldValue)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// What every answer says: that browsers are to run our script alone, show our pages alone, and keep the pages to themselves.
  ///
  /// `same-origin` and not `no-referrer`: with the latter a browser sends `Origin: null` with our own forms.
  private static let always: [(name: String, value: String)] = [
    ("Connection", "close"),
    (
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; \
      frame-ancestors 'none'; base-uri 'none'
      """
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
  ]
}

extension String {
  /// The text without what could end a header field.
  fileprivate var asFieldValue: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7f }))
  }
}
