/// The cause of a transition.
enum Cause: Sendable {
  case start(flow: String, input: [String: JSONValue], Caller?)
  /// A client calls; `key` is its request key, if it gave one.
  case call(TreeCall, key: String?, Caller?)
  case close(isTimeout: Bool)
  case work(CoordinatorPath, WorkID)
  /// A restart interrupted work that cannot be performed again.
  case interruption(CoordinatorPath, WorkID)
}

extension Cause {
  /// Whether a caller waits for an answer and can therefore be refused.
  var hasCaller: Bool {
    switch self {
    case .start, .call: true
    case .close, .work, .interruption: false
    }
  }

  var coordinator: CoordinatorPath? {
    switch self {
    case .work(let path, _), .interruption(let path, _): path
    case .call(let call, _, _): call.coordinator
    case .start, .close: nil
    }
  }

  /// Whether it may be refused because too many wait: only what a client can send again.
  var isFromClient: Bool { if case .call = self { true } else { false } }

  /// Whether nobody waits for an answer, so that it must not get lost because the disk was full.
  var mustNotGetLost: Bool {
    switch self {
    case .work, .interruption, .close: true
    case .start, .call: false
    }
  }
}
