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
