import Platform

/// Decides whether a request may be handled. A value without I/O that is consulted before anything else.
///
/// Each check defends against an attack listed in Docs/web.md.
public struct RequestGuard: Sendable, Hashable {
  /// The decision about a request.
  public enum Verdict: Sendable, Hashable {
    /// The request may be handled.
    case allowed
    /// The request belongs to no session; only public pages may be served.
    case stranger
    /// The request must not be handled.
    case refused(Refusal)
  }

  /// The reason why a request is refused.
  public enum Refusal: Error, Sendable, Hashable, CaseIterable {
    /// The request is for another host, such as a name made to resolve to this machine (DNS rebinding).
    case wrongHost
    /// A page of another origin sent the request.
    case wrongOrigin
    /// The body is not a form.
    case noForm
    /// The form does not come from a page of this server.
    case wrongToken

    /// The status of the response.
    public var status: HTTPStatus {
      switch self {
      case .wrongHost: .misdirected
      case .wrongOrigin, .wrongToken: .forbidden
      case .noForm: .unsupportedMediaType
      }
    }
  }

  /// The name of the control that carries the session's token.
  public static let tokenField = "token"

  /// The origins under which browsers may address the server; the first is its own.
  public var origins: [Origin]

  /// Creates a guard for a server with these origins.
  public init(origins: [Origin]) {
    self.origins = origins
  }

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - request: request to check.
  ///   - session: session of the request's cookie; nil if there is none or it is unknown.
  /// - Returns: the decision.
  public func verdict(on request: HTTPRequest, session: Session?) -> Verdict {
    guard let own = origin(of: request) else { return .refused(.wrongHost) }
    guard isFromOurselves(request, as: own) else { return .refused(.wrongOrigin) }
    guard let session else { return .stranger }
    guard !request.isSafe else { return .allowed }
    guard request.headers["content-type"]?.isFormType == true else { return .refused(.noForm) }
    // A body that cannot be decoded contains no valid token either.
    let token = (try? FormBody(decoding: request.body))?[Self.tokenField]
    return session.csrf.matches(token) ? .allowed : .refused(.wrongToken)
  }

  /// Returns the origin that a request was sent to; nil if it is not an origin of this server.
  func origin(of request: HTTPRequest) -> Origin? {
    guard let host = request.headers["host"]?.bytes.lowercased else { return nil }
    return origins.first { $0.host.bytes.equals(host) }
  }

  /// Returns whether, according to the browser's header fields, a page of this server or its user caused the request.
  ///
  /// A client without these header fields is not a browser, or a very simple one. The session cookie and the token still apply.
  private func isFromOurselves(_ request: HTTPRequest, as own: Origin) -> Bool {
    let origins = request.headers.all("origin")
    guard origins.isEmpty || origins.count == 1 && origins[0].bytes.equals(own.description) else { return false }
    switch request.headers.all("sec-fetch-site") {
    case [], ["same-origin"], ["none"]: return true
    default:
      // A link on another site may open a page here, because that changes nothing.
      return request.isSafe && request.headers["sec-fetch-mode"] == "navigate"
        && request.headers["sec-fetch-dest"] == "document"
    }
  }
}

extension String {
  fileprivate var isFormType: Bool {
    let type = bytes.cut(at: ";")?.before ?? self[...]
    return type.bytes.trimmed.bytes.equals("application/x-www-form-urlencoded")
  }
}
