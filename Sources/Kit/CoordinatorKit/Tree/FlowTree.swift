import Languages
import Platform

/// A root coordinator and all its descendants, with a dedicated queue.
///
/// The tree handles its events one at a time, in order of arrival (rule 2). Each event becomes a transition, which is
/// stored, then published, then replied to (rule 3). Callers post a call with a closure for the reply, so they never
/// wait.
public actor FlowTree {
  /// The closure that receives the reply to a call.
  public typealias Reply = @Sendable (Result<TreeAnswer, CallError>) -> Void

  /// The path of the root coordinator.
  public nonisolated let root: CoordinatorPath
  package nonisolated let environment: Environment
  nonisolated let queue = Lock(EventQueue<Posted>())
  nonisolated let tasks = Lock<[WorkID: Task<Void, Never>]>([:])
  /// Shows live values; created with the first work, because most trees never have any.
  var liveShow: LiveShow?
  var hasRenderer = false
  /// The highest number of work that was running when the tree was stored; newer work has been started since.
  let lastStoredWork: UInt64
  package internal(set) var state: TreeState
  lazy var workExecutor: any TaskExecutor = environment.makeWorkExecutor()
  var running: [CoordinatorPath: any RunningCoordinator] = [:]
  /// The coordinators that were created for the current transition. They are discarded if it is dropped.
  var newcomers: [CoordinatorPath: any RunningCoordinator] = [:]
  /// The coordinator that was last notified that a user views its screen.
  var lookedAt: CoordinatorPath?
  /// The events that wait because their coordinators are held, in order of arrival.
  var keptBack: [(path: CoordinatorPath, cause: Cause)] = []
  /// The held coordinator whose event is being retried.
  var retried: Retrial?
  /// The ``ProvidedFlows/generation`` with which the tree was last compared.
  var knownFlows: UInt64 = 0

  /// Creates a tree that has not been started. First call ``start(flow:input:language:caller:reply:)``.
  ///
  /// - Parameters:
  ///   - name: the name of the root coordinator in paths: one or more of `[A-Za-z0-9_]`.
  ///   - environment: the environment of the tree.
  public init(root name: String, environment: Environment) {
    root = CoordinatorPath(root: name)
    state = TreeState(root: root)
    lastStoredWork = 0
    self.environment = environment
  }

  /// Creates a tree that continues from a state. Its coordinators are recreated on demand; the work that runs is not performed
  /// again, and ends as ``end(work:of:_:reply:)`` says.
  package init(continuing state: TreeState, environment: Environment) {
    root = state.root
    self.state = state
    lastStoredWork = state.lastWork
    self.environment = environment
  }

  // MARK: Posting

  /// Starts the root coordinator. Call this once.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: the input of the flow, by key.
  ///   - language: the language in which screens are shown; nil for English. The flow may change it.
  ///   - caller: the caller, for the history.
  ///   - reply: receives the revision, 1, or the reason why the flow did not start. In the latter case, the tree cannot
  ///     be used any more.
  public nonisolated func start(
    flow: String, input: [String: JSONValue], language: LanguageTag? = nil, caller: Caller? = nil, reply: @escaping Reply
  ) {
    post(Posted(.start(flow: flow, input: input, language: language?.description, caller), reply))
  }

  /// Posts a call to the tree.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - key: the request key under which the reply is kept, if the client gave one.
  ///   - caller: the caller, for the history.
  ///   - reply: called once from any thread, after the transition was published.
  public nonisolated func post(
    _ call: TreeCall, key: String? = nil, caller: Caller? = nil, reply: @escaping Reply
  ) {
    post(Posted(.call(call, key: key, caller), reply))
  }

  /// Ends the tree from outside, because it timed out or its caller has left. Does not call any handler.
  ///
  /// - Parameters:
  ///   - isTimeout: whether the tree timed out, which renderers then receive as the reason.
  ///   - reply: called once from any thread, after the end was published.
  public nonisolated func close(isTimeout: Bool, reply: @escaping Reply = { _ in }) {
    post(Posted(.close(isTimeout: isTimeout), reply))
  }

  /// Ends the tree from outside as ``close(isTimeout:reply:)`` does, in turn with the other events for which no caller
  /// waits.
  package nonisolated func closeInTurn(isTimeout: Bool) {
    environment.unawaited.add { self.post(Posted(.close(isTimeout: isTimeout), inTurn: $0)) }
  }

  /// Fires the timer that is due first, if its time has come, in turn with the other events for which no caller waits. If
  /// another timer is due after that, `whenTimersChange` of the environment is called as usual.
  package nonisolated func fireTimer() {
    environment.unawaited.add { self.post(Posted(.timer(self.environment.moment), inTurn: $0)) }
  }

  /// Fires the timer that is due first, as ``fireTimer()`` does, and replies after that.
  package nonisolated func fireTimer(reply: @escaping Reply) { post(Posted(.timer(environment.moment), reply)) }

  /// The number of the current event, starting at 1; nil while idle.
  public nonisolated var currentTurn: UInt64? { queue.withLock { $0.currentTurn } }

  /// When the current event's first handler started; nil while no handler runs. An old value means that a handler is
  /// stuck.
  public nonisolated var handlingSince: ContinuousClock.Instant? { queue.withLock { $0.handlingSince } }

  /// The number of running pieces of work.
  public nonisolated var runningWork: Int { tasks.withLock { $0.count } }

  /// The number of events in the queue.
  public nonisolated var waitingCount: Int { queue.withLock { $0.count } }

  /// Abandons the tree because a handler is stuck. From then on, the tree's handlers and work have no effect.
  ///
  /// - Parameters:
  ///   - handlingSince: the value of ``handlingSince`` at which the handlers were found to take too long.
  ///   - published: the last published state of the tree.
  ///   - failure: the failure for the outcome and for waiting callers.
  /// - Returns: the end to publish, in which all coordinators have ended and the root has failed, and a closure that
  ///   replies to the waiting callers, to be called after that; nil if the handler has returned in the meantime.
  public nonisolated func abandon(
    handlingSince: ContinuousClock.Instant, published: TreeState, failure: Failure
  ) -> (end: Publication, answer: @Sendable () -> Void)? {
    guard let unanswered = queue.withLock({ $0.abandon(handlingSince: handlingSince) }) else { return nil }
    cancel(tasks.withLock { $0.values.map(\.self) })
    var transition = Transition(
      from: published, catalogue: environment.catalogue, limits: environment.limits, at: environment.moment)
    transition.end(published.root, .failed(failure))
    for secret in transition.wiped { secret.wipe() }
    let end = transition.seal(Occasion(.notResponding, coordinator: root))
    return (end, { for item in unanswered { item.reply(.failure(.failed(failure))) } })
  }

  /// Stops all activity of the tree without notifying other code, as killing its process would.
  package nonisolated func forget() {
    _ = queue.withLock { $0.abandon() }
    cancel(tasks.withLock { $0.values.map(\.self) })
  }

  /// Abandons a tree that has not finished starting, because a handler is stuck.
  ///
  /// - Parameter handlingSince: the value of ``handlingSince`` at which the handler was found to take too long.
  /// - Returns: whether the tree was abandoned; false if the handler has returned in the meantime.
  public nonisolated func abandonStart(handlingSince: ContinuousClock.Instant) -> Bool {
    queue.withLock { $0.abandon(handlingSince: handlingSince) } != nil
  }

  nonisolated func post(_ posted: Posted) {
    let capacity = posted.cause.isFromClient ? environment.limits.maxWaitingCalls : nil
    switch queue.withLock({ $0.offer(posted, capacity: capacity, overtakes: posted.cause.overtakes(root: root)) }) {
    case .start:
      Task(executorPreference: environment.executor) { await self.takeTurns() }
      environment.whenBusy()
    case .wait:
      // A call queued behind a provider must not block other trees.
      if queue.withLock({ $0.wait != nil }) { posted.whenWaiting?() }
    case .overtake:
      queue.withLock { $0.wait }?.look()
    case .full:
      posted.reply(.failure(.refused(.limitExceeded("too many calls are queued for this flow"))))
    case .closed:
      posted.answerAfterEnd(root: root)
    }
  }

  // MARK: Taking turns

  private func takeTurns() async {
    while let posted = queue.withLock({ $0.take() }) {
      if case .live(let path) = posted.cause {
        await showLive(path)
      } else if case .renderers(let isAny) = posted.cause {
        hasRenderer = isAny
        liveShow?.watching.set(hasRenderer: isAny)
        tellWhoIsLookedAt()
      } else if case .retry(let retry) = posted.cause {
        await retryHolds(retry)
        // The handler watch has already answered on behalf of a tree that it has abandoned.
        if !isAbandoned { posted.reply(.success(.revision(state.revision))) }
      } else if isKeptBack(posted) {
        continue
      } else if let answer = keptAnswer(to: posted.cause) {
        posted.reply(answer)
      } else {
        if hasUnknownFlows, !posted.cause.overtakes(root: root) {
          await migrateAndTransact(posted)
        } else {
          await transact(posted)
        }
      }
    }
  }

  /// Returns the first answer to a call with a request key, or the reason why the key cannot be used for the call; nil if the
  /// call must be carried out.
  func keptAnswer(to cause: Cause) -> Result<TreeAnswer, CallError>? {
    guard case .call(let call, let key?, _) = cause else { return nil }
    do throws(CallError) {
      return try state.requests.answer(to: call, key: key)?.result
    } catch {
      return .failure(error)
    }
  }

  /// Whether the tree was abandoned, so that operations in progress must have no effect.
  var isAbandoned: Bool { queue.withLock { $0.isAbandoned } }

  /// Closes the queue, because the root coordinator has ended.
  func closeQueue() {
    for posted in queue.withLock({ $0.close() }) {
      if let answer = keptAnswer(to: posted.cause) { posted.reply(answer) } else { posted.answerAfterEnd(root: root) }
    }
  }
}

/// The reply of a flow tree to a call.
public enum TreeAnswer: Sendable, Hashable {
  /// The revision after the transition. If it is unchanged, nothing visible has changed.
  case revision(UInt64)
  /// The child that was started.
  case child(CoordinatorPath)
}

extension RequestLedger.Answer {
  /// The reply to a repeated call.
  public var result: Result<TreeAnswer, CallError> {
    switch self {
    case .revision(let revision): .success(.revision(revision))
    case .child(let path): .success(.child(path))
    case .failed(let failure): .failure(.failed(failure))
    }
  }
}
