import Locking

/// A root coordinator and everything under it, with a queue of its own.
///
/// It takes its events in order of arrival, one after the other (rule 2): each becomes a transition, which is stored, then
/// published, then answered (rule 3). Calls are posted and answered through a closure, so that whoever posts never waits.
public actor FlowTree {
  /// What a call is answered with.
  public typealias Reply = @Sendable (Result<TreeAnswer, CallError>) -> Void

  /// The path of the root coordinator.
  public nonisolated let root: CoordinatorPath
  package nonisolated let environment: Environment
  nonisolated let queue = Lock(EventQueue<Posted>())
  nonisolated let tasks = Lock<[WorkID: Task<Void, Never>]>([:])
  package internal(set) var state: TreeState
  lazy var workExecutor: any TaskExecutor = environment.makeWorkExecutor()
  var running: [CoordinatorPath: any RunningCoordinator] = [:]
  /// Coordinators that were made for the transition under way; they are forgotten if it is dropped.
  var newcomers: [CoordinatorPath: any RunningCoordinator] = [:]

  /// A tree that has not been started: post ``start(flow:input:reply:)`` first.
  ///
  /// - Parameters:
  ///   - name: what the root coordinator's path begins with: 1 or more of `[A-Za-z0-9_]`.
  ///   - environment: what it works with.
  public init(root name: String, environment: Environment) {
    root = CoordinatorPath(root: name)
    state = TreeState(root: root)
    self.environment = environment
  }

  /// A tree that goes on from a state in which no work runs; its coordinators are made anew when something is asked of them.
  package init(continuing state: TreeState, environment: Environment) {
    root = state.root
    self.state = state
    self.environment = environment
  }

  // MARK: Posting

  /// Starts the root coordinator, once.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: what to start it with.
  ///   - caller: who starts it, for the history.
  ///   - reply: gets the revision, 1; or why the flow did not start, and then the tree is of no more use.
  public nonisolated func start(
    flow: String, input: [String: JSONValue], caller: Caller? = nil, reply: @escaping Reply
  ) {
    post(Posted(.start(flow: flow, input: input, caller), reply))
  }

  /// Hands a call to the tree.
  ///
  /// - Parameters:
  ///   - call: what is asked.
  ///   - key: the request key under which the answer is kept, if the client gave one.
  ///   - caller: who calls, for the history.
  ///   - reply: called once, after the transition was published, from any thread.
  public nonisolated func post(
    _ call: TreeCall, key: String? = nil, caller: Caller? = nil, reply: @escaping Reply
  ) {
    post(Posted(.call(call, key: key, caller), reply))
  }

  /// Ends the tree from outside: its time is up, or its caller has left. No handler is asked.
  ///
  /// - Parameters:
  ///   - isTimeout: whether its time is up, which is what renderers are told.
  ///   - reply: called once, after the end was published, from any thread.
  public nonisolated func close(isTimeout: Bool, reply: @escaping Reply = { _ in }) {
    post(Posted(.close(isTimeout: isTimeout), reply))
  }

  /// Ends the tree from outside as ``close(isTimeout:reply:)`` does, when it is its turn among all that nobody waits for.
  package nonisolated func closeInTurn(isTimeout: Bool) {
    environment.unawaited.add { hasEnded in self.close(isTimeout: isTimeout) { hasEnded(UnawaitedEnding($0)) } }
  }

  /// Which event is being handled, counted from 1; nil while none is.
  public nonisolated var currentTurn: UInt64? { queue.withLock(\.currentTurn) }

  /// Since when the handlers run that the current event sets off; nil while none does. Long ago means that one does not return.
  public nonisolated var handlingSince: ContinuousClock.Instant? { queue.withLock(\.handlingSince) }

  /// How many pieces of work run.
  public nonisolated var runningWork: Int { tasks.withLock(\.count) }

  /// How many events wait in the queue.
  public nonisolated var waitingCount: Int { queue.withLock(\.count) }

  /// Gives the tree up, because a handler does not return: nothing that it still does has any effect.
  ///
  /// - Parameters:
  ///   - handlingSince: what ``handlingSince`` was when it was found that they take too long.
  ///   - published: the state of the tree that the world knows.
  ///   - failure: what the outcome says, and what calls that wait are answered with.
  /// - Returns: what the world is to be told: all coordinators have ended, the root as failed; and what answers those who wait, to be
  ///   called after that. Nil if the handler has returned meanwhile.
  public nonisolated func abandon(
    handlingSince: ContinuousClock.Instant, published: TreeState, failure: Failure
  ) -> (end: Publication, answer: @Sendable () -> Void)? {
    guard let unanswered = queue.withLock({ $0.abandon(handlingSince: handlingSince) }) else { return nil }
    cancel(tasks.withLock { $0.values.map(\.self) })
    var transition = Transition(
      from: published, catalogue: environment.catalogue, limits: environment.limits, now: environment.now())
    transition.end(published.root, .failed(failure))
    let end = transition.seal(Occasion(.notResponding, coordinator: root))
    return (end, { for item in unanswered { item.reply(.failure(.failed(failure))) } })
  }

  /// Ends all that the tree is doing, and tells nobody: what a kill of its process does.
  package nonisolated func forget() {
    _ = queue.withLock { $0.abandon() }
    cancel(tasks.withLock { $0.values.map(\.self) })
  }

  /// Gives a tree up that has not started, because a handler does not return.
  ///
  /// - Parameter handlingSince: what ``handlingSince`` was when it was found that it takes too long.
  /// - Returns: whether it was given up; not if the handler has returned meanwhile.
  public nonisolated func abandonStart(handlingSince: ContinuousClock.Instant) -> Bool {
    queue.withLock { $0.abandon(handlingSince: handlingSince) } != nil
  }

  nonisolated func post(_ posted: Posted) {
    let capacity = posted.cause.isFromClient ? environment.limits.maxWaitingCalls : nil
    switch queue.withLock({ $0.offer(posted, capacity: capacity) }) {
    case .start:
      Task(executorPreference: environment.executor) { await self.takeTurns() }
      environment.whenBusy()
    case .wait:
      break
    case .full:
      posted.reply(.failure(.refused(.limitExceeded("too many calls wait for this flow"))))
    case .closed:
      posted.answerAfterEnd(root: root)
    }
  }

  // MARK: Taking turns

  private func takeTurns() async {
    while let posted = queue.withLock({ $0.take() }) {
      if let answer = keptAnswer(to: posted.cause) { posted.reply(answer) } else { await transact(posted) }
    }
  }

  /// What a call with a request key was answered the first time, or why the key cannot be used for it; nil if it is to be carried out.
  private func keptAnswer(to cause: Cause) -> Result<TreeAnswer, CallError>? {
    guard case .call(let call, let key?, _) = cause else { return nil }
    do throws(CallError) {
      return try state.requests.answer(to: call, key: key)?.result
    } catch {
      return .failure(error)
    }
  }

  /// Whether the tree was given up; then nothing that is still under way may have an effect.
  var isAbandoned: Bool { queue.withLock(\.isAbandoned) }

  /// Lets nothing more in, because the root coordinator has ended.
  func closeQueue() {
    for posted in queue.withLock({ $0.close() }) {
      if let answer = keptAnswer(to: posted.cause) { posted.reply(answer) } else { posted.answerAfterEnd(root: root) }
    }
  }
}

/// What a flow tree answers a call with.
public enum TreeAnswer: Sendable, Hashable {
  /// The revision after the transition; the same as before means that nothing visible changed.
  case revision(UInt64)
  /// The child that was started.
  case child(CoordinatorPath)
}

extension RequestLedger.Answer {
  /// What a call is answered with that was answered so before.
  public var result: Result<TreeAnswer, CallError> {
    switch self {
    case .revision(let revision): .success(.revision(revision))
    case .child(let path): .success(.child(path))
    case .failed(let failure): .failure(.failed(failure))
    }
  }
}
