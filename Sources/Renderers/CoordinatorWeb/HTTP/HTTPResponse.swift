/// The response to a request.
public struct HTTPResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// A fixed body.
    case bytes([UInt8])
    /// A stream of events, sent while the browser listens. `whenOver` is called when it no longer does.
    case events(AsyncStream<ServerSentEvent>, whenOver: @Sendable () async -> Void)
  }

  /// The status.
  public var status: HTTPStatus
  /// The header fields, in addition to those of every response.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: Body

  /// Creates a response.
  public init(_ status: HTTPStatus, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a page.
  ///
  /// - Parameters:
  ///   - page: whole document.
  ///   - status: status of the response.
  /// - Returns: the response.
  public static func page(_ page: HTML, status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, headers: [("Content-Type", "text/html; charset=utf-8")], body: .bytes(Array(page.markup.utf8)))
  }

  /// Creates a redirect to a page that the browser requests with GET (303 See Other).
  ///
  /// - Parameter location: path of the page.
  /// - Returns: the response.
  public static func seeOther(_ location: String) -> HTTPResponse {
    HTTPResponse(.seeOther, headers: [("Location", location)])
  }

  /// Creates a response with a static file whose content never changes under its name.
  ///
  /// - Parameters:
  ///   - type: media type.
  ///   - bytes: content of the file.
  /// - Returns: the response.
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
      ["HTTP/1.1 \(status.rawValue) \(status.phrase)"]
      + (fields + Self.always.filter { usual in !headers.contains { $0.name == usual.name } })
      .map { "\($0.name): \($0.value.asFieldValue)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The header fields of every response. They restrict browsers to the server's own script, prevent framing, and keep
  /// the pages from other origins. Images are part of the pages or come from the server itself.
  ///
  /// The referrer policy is `same-origin` because with `no-referrer` browsers send `Origin: null` with the server's own
  /// forms.
  private static let always: [(name: String, value: String)] = [
    ("Connection", "close"),
    (
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
      form-action 'self'; frame-ancestors 'none'; base-uri 'none'
      """
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
  ]
}

extension String {
  /// The printable ASCII characters of the string, which cannot end a header field.
  fileprivate var asFieldValue: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7f }))
  }
}
