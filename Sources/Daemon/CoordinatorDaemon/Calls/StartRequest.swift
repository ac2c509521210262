import CoordinatorKit

/// A client's request to start a flow, made with `StartFlow` or `RunFlow`.
struct StartRequest: Sendable, Hashable {
  var flow: String
  var input: [String: JSONValue]
  var token: String?
  /// The client's unique name.
  var sender: String
  /// The client whose limits apply: the unique name or, on the system bus, the user.
  var client: String
  /// Whether the flow is dismissed when its caller leaves the bus.
  var endsWithCaller: Bool
  /// When the flow is dismissed; nil for never.
  var timeout: FlowTimeout?
  /// Whether to start the flow again if the token's flow has ended, instead of repeating its outcome.
  var isFresh = false
  /// The language in which screens are shown at first; nil for English.
  var language: LanguageTag?
  /// A digest of the flow and the input, compared as JSON. Options are not included.
  var digest: Digest

  /// Returns whether another request has the same token and asks for the same flow with the same input. Compares the
  /// tokens, not the name: a flow that was started without a token has none.
  func isSame(as other: StartRequest) -> Bool { token == other.token && other.isFor(digest) }

  /// Returns whether the request matches a digest, which may be of a kind that an older version stored.
  func isFor(_ asked: Digest) -> Bool {
    asked == digest || asked.kind != digest.kind && asked == Self.digest(flow: flow, input: input, as: asked.kind)
  }

  /// Returns the ``digest`` of a flow and an input.
  static func digest(flow: String, input: [String: JSONValue], as kind: Digest.Kind = .sha256) -> Digest {
    Digest(of: [flow, JSONValue.object(input).canonicalText], as: kind)
  }
}
