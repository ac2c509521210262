import CoordinatorKit
import Platform
import RendererKit

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

/// An event for a page that listens (HTML standard, "Server-sent events").
public struct ServerSentEvent: Sendable, Hashable {
  /// The name of the event.
  public var name: String
  /// The data of the event.
  public var data: JSONValue

  /// Creates an event.
  public init(_ name: String, _ data: JSONValue = [:]) {
    self.name = name
    self.data = data
  }

  /// The encoded event. Canonical JSON contains no line breaks, so the data fits in one line.
  public var bytes: [UInt8] { Array("event: \(name)\ndata: \(data.canonicalText)\n\n".utf8) }
}

/// The HTTP statuses that this server uses (RFC 9110 and RFC 6585).
public enum HTTPStatus: Int, Sendable, Hashable {
  case ok = 200
  case noContent = 204
  case seeOther = 303
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case lengthRequired = 411
  case contentTooLarge = 413
  case targetTooLong = 414
  case unsupportedMediaType = 415
  case misdirected = 421
  case headersTooLarge = 431
  case internalError = 500
  case notImplemented = 501
  case unavailable = 503
  case versionNotSupported = 505

  /// The reason phrase.
  public var phrase: String {
    switch self {
    case .ok: "OK"
    case .noContent: "No Content"
    case .seeOther: "See Other"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .lengthRequired: "Length Required"
    case .contentTooLarge: "Content Too Large"
    case .targetTooLong: "URI Too Long"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .misdirected: "Misdirected Request"
    case .headersTooLarge: "Request Header Fields Too Large"
    case .internalError: "Internal Server Error"
    case .notImplemented: "Not Implemented"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}

/// The error that rejects a malformed or oversized request before it is routed.
public struct RequestFault: Error, Sendable, Hashable {
  /// The status of the response.
  public var status: HTTPStatus
  /// A short description. Never repeats what was sent.
  public var reason: String

  /// Creates a fault.
  public init(_ status: HTTPStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

/// The ordered names and values of a form, encoded as `application/x-www-form-urlencoded` (URL standard).
public struct FormBody: Sendable, Hashable {
  /// A name and its value.
  public struct Pair: Sendable, Hashable {
    /// The name of the control.
    public var name: String
    /// The value of the control.
    public var value: String
  }

  /// The maximum number of pairs.
  public static let maximumCount = 10_000

  /// The names and values, in order.
  public private(set) var pairs: [Pair] = []

  /// Creates an empty form.
  public init() {}

  /// Decodes a form.
  ///
  /// - Parameter bytes: body or query of a request.
  /// - Throws: ``RequestFault`` if the encoding is invalid, the text is not UTF-8, or there are too many values.
  public init(decoding bytes: some Collection<UInt8>) throws(RequestFault) {
    for part in bytes.split(separator: UInt8(ascii: "&")) {
      guard pairs.count < Self.maximumCount else { throw RequestFault(.contentTooLarge, "too many values were sent") }
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append(Pair(name: try Self.text(sides[0]), value: sides.count == 2 ? try Self.text(sides[1]) : ""))
    }
  }

  /// Returns the first value of a name; nil if there is none.
  public subscript(name: String) -> String? { pairs.first { $0.name.bytes.equals(name) }?.value }

  /// Returns all values of a name, in order.
  ///
  /// - Parameter name: name of the control.
  /// - Returns: the values; empty if there are none.
  public func all(_ name: String) -> [String] { pairs.filter { $0.name.bytes.equals(name) }.map(\.value) }

  private static func text(_ bytes: some Collection<UInt8>) throws(RequestFault) -> String {
    let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? UInt8.space : $0 }
    guard let decoded = PercentEncoding.decode(spaced), let text = String(validating: decoded, as: UTF8.self) else {
      throw RequestFault(.badRequest, "the form is not encoded properly")
    }
    // No browser sends a typed NUL, and no message on the bus can contain one.
    guard !decoded.contains(0) else { throw RequestFault(.badRequest, "the form contains NUL") }
    return text
  }
}

extension FormBody: ExpressibleByDictionaryLiteral {
  /// Creates a form from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(name: $0.0, value: $0.1) }
  }
}
