import CoordinatorKit

/// What a client asks for with StartFlow or RunFlow.
struct StartRequest: Sendable, Hashable {
  var flow: String
  var input: [String: JSONValue]
  var token: String?
  /// The client's unique name.
  var sender: String
  /// For whose limits the flow counts: the client's, or on the bus of the machine its user's.
  var client: String
  /// Whether the flow is dismissed when its caller leaves the bus.
  var endsWithCaller: Bool
  /// When the flow is dismissed, in microseconds since 1970; nil for never.
  var deadline: UInt64?
  /// Equal if the same flow is asked for with the same input, compared as JSON; options do not count.
  var digest: Digest

  /// Whether the other asks with the same token for the same. A flow that was started without a token has none, whatever its name.
  func isSame(as other: StartRequest) -> Bool { token == other.token && other.isFor(digest) }

  /// Whether it asks for what a digest is of, which an older version may have kept.
  func isFor(_ asked: Digest) -> Bool {
    asked == digest || asked.kind != digest.kind && asked == Self.digest(flow: flow, input: input, as: asked.kind)
  }

  /// See ``digest``.
  static func digest(flow: String, input: [String: JSONValue], as kind: Digest.Kind = .sha256) -> Digest {
    Digest(of: [flow, JSONValue.object(input).canonicalText], as: kind)
  }
}
