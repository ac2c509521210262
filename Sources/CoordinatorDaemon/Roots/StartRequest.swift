import CoordinatorKit

/// What a client asks for with StartFlow or RunFlow.
struct StartRequest: Sendable, Hashable {
  var flow: String
  var input: [String: JSONValue]
  var token: String?
  /// The client's unique name.
  var sender: String
  /// Whether the flow is dismissed when its caller leaves the bus.
  var endsWithCaller: Bool
  /// When the flow is dismissed, in microseconds since 1970; nil for never.
  var deadline: UInt64?
  /// Equal if the same flow is asked for with the same input, compared as JSON; options do not count.
  var digest: Digest

  /// Whether the other asks with the same token for the same. A flow that was started without a token has none, whatever its name.
  func isSame(as other: StartRequest) -> Bool { token == other.token && digest == other.digest }

  /// See ``digest``.
  static func digest(flow: String, input: [String: JSONValue]) -> Digest {
    Digest(of: flow, JSONValue.object(input).canonicalText)
  }
}
