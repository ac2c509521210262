/// The cause of a transition.
enum Cause: Sendable {
  /// `language` is a language's name; nil for none. `takesProposals`: whether a client may propose another one.
  case start(flow: String, input: [String: JSONValue], language: String?, Caller?, takesProposals: Bool = false)
  /// A client calls; `key` is its request key, if it gave one.
  case call(TreeCall, key: String?, Caller?)
  case close(isTimeout: Bool)
  case work(CoordinatorPath, WorkID)
  /// A restart interrupted work that cannot be performed again.
  case interruption(CoordinatorPath, WorkID)
  /// A restart took secrets that the coordinator kept.
  case lostSecrets(CoordinatorPath)
  /// A timer is due: the first of those that are due at this moment.
  case timer(Moment)
  /// Work has reported a value to show. Does not begin a transition.
  case live(CoordinatorPath)
  /// The first renderer was attached, or the last one was detached. Does not begin a transition.
  case renderers(Bool)
  /// A user started or stopped viewing a coordinator's screen.
  case looking(CoordinatorPath, Bool)
  /// Retries the events that held coordinators wait for. Does not begin a transition.
  case retry(HoldRetry)
  /// A piece of work that another process performs has ended, or is about to be started again. The change is stored before any
  /// coordinator is notified.
  case workResult(FlowInstance, work: String, ProvidedWork.Note)
  /// The deferred end of a child can now be delivered to its parent.
  case childEnd(CoordinatorPath)
  /// The flow of a coordinator is served in a newer version, which takes over the state that an older one stored.
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

  /// The coordinator that the cause concerns; for a timer, the coordinator whose timer fires first.
  func coordinator(in state: TreeState) -> CoordinatorPath? {
    if case .timer(let moment) = self { return state.dueTimer(at: moment)?.path }
    return coordinator
  }

  /// The client that called; nil if there is none.
  var caller: Caller? {
    switch self {
    case .start(_, _, _, let caller, _), .call(_, _, let caller): caller
    case .close, .work, .interruption, .lostSecrets, .timer, .live, .renderers, .looking, .retry, .workResult, .childEnd,
      .migration:
      nil
    }
  }

  /// Whether the event may be refused because the queue is full: only calls, which a client can send again, except for a
  /// forced end, which must succeed against clients that fill the queue.
  var isFromClient: Bool {
    switch self {
    case .call(.dismiss(_, _, isForced: true), _, _): false
    case .call: true
    default: false
    }
  }

  /// Whether no caller waits for an answer, so that the event must not be lost when the disk is full.
  var mustNotGetLost: Bool {
    switch self {
    case .work, .interruption, .lostSecrets, .timer, .close, .childEnd: true
    case .start, .call, .live, .renderers, .looking, .retry, .workResult, .migration: false
    }
  }

  /// Whether the event does not wait for a provider that its tree is asking: it ends the tree, or only records a result.
  func overtakes(root: CoordinatorPath) -> Bool {
    switch self {
    case .close, .workResult: true
    case .call(.dismiss(let path, _, _), _, _): path == root
    case .start, .call, .work, .interruption, .lostSecrets, .timer, .live, .renderers, .looking, .retry, .childEnd, .migration:
      false
    }
  }
}

/// What caused a transition, and on whose behalf, for a history. Never contains a user's input.
public struct Occasion: Sendable, Hashable {
  /// The kinds of causes; the raw values are for users and scripts.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The tree was started.
    case start
    /// An event was delegated.
    case delegate
    /// The user went back.
    case back
    /// A coordinator was dismissed.
    case dismiss
    /// A client started a child.
    case startChild = "start-child"
    /// A client proposed a language.
    case language
    /// A draft was saved. Not included in the history.
    case draft
    /// A piece of work ended, or was interrupted by a restart.
    case work
    /// The result of work was stored, which its coordinator handles later; or work is about to be started again. Not included
    /// in the history.
    case workResult = "work-result"
    /// A timer fired.
    case timer
    /// The tree timed out.
    case timeout
    /// The caller that the tree was bound to has left.
    case callerLeft = "caller-left"
    /// A handler did not return.
    case notResponding = "not-responding"
    /// The tree could not be restored and was ended. Recorded by older versions only; such a tree is now held.
    case notRestored = "not-restored"

    /// Whether the history includes transitions of this kind.
    public var isInHistory: Bool { self != .draft && self != .workResult }
  }

  /// The kind of the cause.
  public var kind: Kind
  /// The target coordinator, or the coordinator whose screen was left.
  public var coordinator: CoordinatorPath?
  /// The screen that the event came from.
  public var screen: ScreenID?
  /// The name of the event, or of the flow that was started; ``force`` if a dismissal was forced.
  public var name: String?
  /// The caller; nil if there was none.
  public var caller: Caller?
  /// Why the work failed whose end is handled, or why the event could not be handled; nil if neither.
  public var failure: Failure?

  /// The ``name`` of a dismissal that was forced.
  public static let force = "force"

  /// Creates an occasion from its parts.
  public init(
    _ kind: Kind, coordinator: CoordinatorPath? = nil, screen: ScreenID? = nil, name: String? = nil, caller: Caller? = nil
  ) {
    self.kind = kind
    self.coordinator = coordinator
    self.screen = screen
    self.name = name
    self.caller = caller
  }
}

/// The caller of a flow tree.
public struct Caller: Sendable, Hashable, Codable {
  /// The numeric user id; nil if unknown.
  public var user: UInt32?
  /// The name of the connection that made the call.
  public var name: String
  /// The way in which the call came, such as "terminal" or "coordinatorctl"; nil if unknown. The caller itself claims it.
  public var way: String?

  /// Creates a caller.
  public init(user: UInt32? = nil, name: String, way: String? = nil) {
    self.user = user
    self.name = name
    self.way = way
  }
}

extension Cause {
  /// Returns the entry for the history.
  func occasion(in state: TreeState) -> Occasion {
    switch self {
    case .start(let flow, _, _, let caller, _): Occasion(.start, coordinator: state.root, name: flow, caller: caller)
    case .call(let call, _, let caller): call.occasion(in: state, caller)
    case .close(let isTimeout): Occasion(isTimeout ? .timeout : .callerLeft, coordinator: state.root)
    case .work(let path, _), .interruption(let path, _), .lostSecrets(let path), .live(let path), .childEnd(let path),
      .looking(let path, _), .migration(let path, _):
      Occasion(.work, coordinator: path)
    case .workResult(let instance, _, _): Occasion(.workResult, coordinator: instance.path)
    case .renderers, .retry: Occasion(.work, coordinator: state.root)
    case .timer: Occasion(.timer, coordinator: coordinator(in: state) ?? state.root)
    }
  }
}

extension TreeCall {
  fileprivate func occasion(in state: TreeState, _ caller: Caller?) -> Occasion {
    switch self {
    case .delegate(let path, let screen, let event, _, _):
      Occasion(.delegate, coordinator: path, screen: screen, name: event, caller: caller)
    case .back(let screen):
      Occasion(.back, coordinator: state.window[screen]?.coordinator, screen: screen, caller: caller)
    case .saveDraft(let screen, _):
      Occasion(.draft, coordinator: state.window[screen]?.coordinator, screen: screen, caller: caller)
    case .proposeLanguage(let language):
      Occasion(.language, coordinator: state.root, name: language.description, caller: caller)
    case .dismiss(let path, _, let isForced):
      Occasion(.dismiss, coordinator: path, name: isForced ? Occasion.force : nil, caller: caller)
    case .startChild(let path, let flow, _, _): Occasion(.startChild, coordinator: path, name: flow, caller: caller)
    }
  }
}
