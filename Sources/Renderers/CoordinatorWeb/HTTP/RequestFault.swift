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
