/// The cause of a transition.
enum Cause: Sendable {
  case start(flow: String, input: [String: JSONValue], Caller?)
  case call(TreeCall, RequestMemo?, Caller?)
  case close(isTimeout: Bool)
  case work(CoordinatorPath, WorkID)
  /// A restart interrupted work that cannot be performed again.
  case interruption(CoordinatorPath, WorkID)
  /// The second transition of rule 3: these coordinators threw, and end as failed.
  case failure([CoordinatorPath: Failure])
}

/// The record to keep of a call that came with a request key.
struct RequestMemo: Sendable {
  let key: String
  let call: CallFingerprint
}

extension Cause {
  /// Whether a caller waits for an answer and can therefore be refused.
  var hasCaller: Bool {
    switch self {
    case .start, .call: true
    case .close, .work, .interruption, .failure: false
    }
  }

  var coordinator: CoordinatorPath? {
    switch self {
    case .work(let path, _), .interruption(let path, _): path
    case .call(let call, _, _): call.coordinator
    case .start, .close, .failure: nil
    }
  }
}
