/// Decides whether a request may be looked at: a value without any I/O, asked before anything else happens.
///
/// Each check stands for an attack, see Docs/web.md.
public struct RequestGuard: Sendable, Hashable {
  /// What a request may do.
  public enum Verdict: Sendable, Hashable {
    /// What it asks for.
    case allowed
    /// Only what is for everybody: it is from nobody who was let in.
    case stranger
    /// Nothing.
    case refused(Refusal)
  }

  /// Why a request may do nothing.
  public enum Refusal: Error, Sendable, Hashable, CaseIterable {
    /// It is for another host: a name that somebody made point to this machine.
    case wrongHost
    /// A page of another origin sent it.
    case wrongOrigin
    /// It is no form.
    case noForm
    /// The form is not from a page of ours.
    case wrongToken

    /// How it is answered.
    public var status: HTTPStatus {
      switch self {
      case .wrongHost: .misdirected
      case .wrongOrigin, .wrongToken: .forbidden
      case .noForm: .unsupportedMediaType
      }
    }
  }

  /// The name of the control that brings a session's token back.
  public static let tokenField = "token"

  /// Under which names browsers may know the server; the first one is its own.
  public var origins: [Origin]

  /// A guard of a server that is known under these names.
  public init(origins: [Origin]) {
    self.origins = origins
  }

  /// Judges a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - session: Whose cookie it has; nil if it has none that is known.
  /// - Returns: What it may do.
  public func verdict(on request: HTTPRequest, session: Session?) -> Verdict {
    guard let own = origin(of: request) else { return .refused(.wrongHost) }
    guard isFromOurselves(request, as: own) else { return .refused(.wrongOrigin) }
    guard let session else { return .stranger }
    guard !request.isSafe else { return .allowed }
    guard request.headers["content-type"]?.isFormType == true else { return .refused(.noForm) }
    // A body that cannot be read has no token either.
    let token = (try? FormBody(decoding: request.body))?[Self.tokenField]
    return session.csrf.matches(token) ? .allowed : .refused(.wrongToken)
  }

  /// The address that a request was sent to; nil if it is none of ours.
  func origin(of request: HTTPRequest) -> Origin? {
    guard let host = request.headers["host"]?.lowercased() else { return nil }
    return origins.first { $0.host == host }
  }

  /// Whether a browser, by all that it says, sends this for a page of ours or because its user wants to see a page of ours.
  ///
  /// A program without these header fields is no browser, or a very plain one; it has the cookie and the token to show.
  private func isFromOurselves(_ request: HTTPRequest, as own: Origin) -> Bool {
    let origins = request.headers.all("origin")
    guard origins.isEmpty || origins == [own.description] else { return false }
    switch request.headers.all("sec-fetch-site") {
    case [], ["same-origin"], ["none"]: return true
    default:
      // A link elsewhere that leads here shows a page, and changes nothing.
      return request.isSafe && request.headers["sec-fetch-mode"] == "navigate"
        && request.headers["sec-fetch-dest"] == "document"
    }
  }
}

extension String {
  fileprivate var isFormType: Bool {
    let type = split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
    return Array(type.utf8)[...].trimmingSpace.elementsEqual("application/x-www-form-urlencoded".utf8)
  }
}
