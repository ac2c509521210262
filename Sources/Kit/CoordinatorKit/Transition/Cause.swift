/// The cause of a transition.
enum Cause: Sendable {
  /// The language is a name; nil for none.
  case start(flow: String, input: [String: JSONValue], language: String?, Caller?)
  /// A client calls; `key` is its request key, if it gave one.
  case call(TreeCall, key: String?, Caller?)
  case close(isTimeout: Bool)
  case work(CoordinatorPath, WorkID)
  /// A restart interrupted work that cannot be performed again.
  case interruption(CoordinatorPath, WorkID)
  /// A restart took secrets that the coordinator kept.
  case lostSecrets(CoordinatorPath)
  /// The time of a timer has come: of the one that goes off first of those that are due at this moment.
  case timer(Moment)
  /// Work has reported a value to show. Does not begin a transition.
  case live(CoordinatorPath)
  /// The first renderer was attached, or the last one was detached. Does not begin a transition.
  case renderers(Bool)
  /// Somebody looks at a coordinator's screen, or nobody does any more.
  case looking(CoordinatorPath, Bool)
  /// The events that held coordinators wait for are tried again. Does not begin a transition.
  case retry(HoldRetry)
  /// A piece of work that another process performs has ended, or is about to be begun again, which is stored before
  /// anybody learns of it.
  case workResult(FlowInstance, work: String, ProvidedWork.Note)
  /// A coordinator can be told of the end of a child that was kept for it.
  case childEnd(CoordinatorPath)
  /// The flow of a coordinator is served in a newer version, and takes over what an older one has stored.
  case migration(CoordinatorPath, from: UInt32)
}

extension Cause {
  /// Whether a caller waits for an answer and can therefore be refused.
  var hasCaller: Bool {
    switch self {
    case .start, .call: true
    case .close, .work, .interruption, .lostSecrets, .timer, .live, .renderers, .looking, .retry, .workResult, .childEnd,
      .migration:
      false
    }
  }

  var coordinator: CoordinatorPath? {
    switch self {
    case .work(let path, _), .interruption(let path, _), .lostSecrets(let path), .live(let path), .childEnd(let path),
      .looking(let path, _), .migration(let path, _):
      path
    case .workResult(let instance, _, _): instance.path
    case .call(let call, _, _): call.coordinator
    case .start, .close, .timer, .renderers, .retry: nil
    }
  }

  /// The coordinator that the cause concerns; of a timer, the one whose timer goes off first.
  func coordinator(in state: TreeState) -> CoordinatorPath? {
    if case .timer(let moment) = self { return state.dueTimer(at: moment)?.path }
    return coordinator
  }

  /// The client that called; nil if there is none.
  var caller: Caller? {
    switch self {
    case .start(_, _, _, let caller), .call(_, _, let caller): caller
    case .close, .work, .interruption, .lostSecrets, .timer, .live, .renderers, .looking, .retry, .workResult, .childEnd,
      .migration:
      nil
    }
  }

  /// Whether it may be refused because too many wait: only what a client can send again.
  var isFromClient: Bool { if case .call = self { true } else { false } }

  /// Whether nobody waits for an answer, so that it must not get lost because the disk was full.
  var mustNotGetLost: Bool {
    switch self {
    case .work, .interruption, .lostSecrets, .timer, .close, .childEnd: true
    case .start, .call, .live, .renderers, .looking, .retry, .workResult, .migration: false
    }
  }

  /// Whether it does not wait for a provider that is being asked in its tree: it ends the tree, or only records a result.
  func overtakes(root: CoordinatorPath) -> Bool {
    switch self {
    case .close, .workResult: true
    case .call(.dismiss(let path, _), _, _): path == root
    case .start, .call, .work, .interruption, .lostSecrets, .timer, .live, .renderers, .looking, .retry, .childEnd, .migration:
      false
    }
  }
}
