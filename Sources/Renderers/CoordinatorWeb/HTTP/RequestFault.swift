/// Why a request is refused before anybody looks at what it asks for.
public struct RequestFault: Error, Sendable, Hashable {
  /// What it is answered with.
  public var status: HTTPStatus
  /// What is wrong, in a few words. Never repeats what was sent.
  public var reason: String

  /// A refusal.
  public init(_ status: HTTPStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}
