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
  nonisolated let queue = TreeQueue()
  nonisolated let work = WorkTasks()
  /// The highest number of work that was running when the tree was stored; newer work has been started since.
  let lastStoredWork: UInt64
  package private(set) var state: TreeState
  private(set) var running = RunningCoordinators()
  private var held = HeldEvents()
  private(set) var viewing = LiveViewing()
  /// The ``ProvidedFlows/generation`` with which the tree was last compared.
  private(set) var knownFlows: UInt64 = 0
  private lazy var workExecutor: any TaskExecutor = environment.makeWorkExecutor()

  /// Creates a tree that has not been started. First call ``start(flow:input:language:takesProposals:caller:reply:)``.
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
  ///   - takesProposals: whether a client may propose another language until a user has chosen it or used the flow.
  ///   - caller: the caller, for the history.
  ///   - reply: receives the revision, 1, or the reason why the flow did not start. In the latter case, the tree cannot
  ///     be used any more.
  public nonisolated func start(
    flow: String, input: [String: JSONValue], language: LanguageTag? = nil, takesProposals: Bool = false,
    caller: Caller? = nil, reply: @escaping Reply
  ) {
    post(
      Posted(
        .start(flow: flow, input: input, language: language?.description, caller, takesProposals: takesProposals), reply))
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
  public nonisolated var currentTurn: UInt64? { queue.currentTurn }

  /// When the current event's first handler started; nil while no handler runs. An old value means that a handler is
  /// stuck.
  public nonisolated var handlingSince: ContinuousClock.Instant? { queue.handlingSince }

  /// The number of running pieces of work.
  public nonisolated var runningWork: Int { work.count }

  /// The number of events in the queue.
  public nonisolated var waitingCount: Int { queue.count }

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
    guard let unanswered = queue.abandon(handlingSince: handlingSince) else { return nil }
    cancel(work.all)
    var transition = Transition(
      from: published, catalogue: environment.catalogue, limits: environment.limits, at: environment.moment)
    transition.end(published.root, .failed(failure))
    for secret in transition.wiped { secret.wipe() }
    let end = transition.seal(Occasion(.notResponding, coordinator: root))
    return (end, { for item in unanswered { item.reply(.failure(.failed(failure))) } })
  }

  /// Stops all activity of the tree without notifying other code, as killing its process would.
  package nonisolated func forget() {
    queue.abandon()
    cancel(work.all)
  }

  /// Abandons a tree that has not finished starting, because a handler is stuck.
  ///
  /// - Parameter handlingSince: the value of ``handlingSince`` at which the handler was found to take too long.
  /// - Returns: whether the tree was abandoned; false if the handler has returned in the meantime.
  public nonisolated func abandonStart(handlingSince: ContinuousClock.Instant) -> Bool {
    queue.abandon(handlingSince: handlingSince) != nil
  }

  nonisolated func post(_ posted: Posted) {
    let capacity = posted.cause.isFromClient ? environment.limits.maxWaitingCalls : nil
    switch queue.offer(posted, capacity: capacity, overtakes: posted.cause.overtakes(root: root)) {
    case .start:
      Task(executorPreference: environment.executor) { await self.takeTurns() }
      environment.whenBusy()
    case .wait:
      // A call queued behind a provider must not block other trees.
      if queue.wait != nil { posted.whenWaiting?() }
    case .overtake:
      queue.wait?.look()
    case .full:
      posted.reply(.failure(.refused(.limitExceeded("too many calls are queued for this flow"))))
    case .closed:
      posted.answerAfterEnd(root: root)
    }
  }

  // MARK: Taking turns

  private func takeTurns() async {
    while let posted = queue.take() {
      if case .live(let path) = posted.cause {
        await showLive(path)
      } else if case .renderers(let isAny) = posted.cause {
        viewing.set(hasRenderer: isAny)
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
  var isAbandoned: Bool { queue.isAbandoned }

  /// Closes the queue, because the root coordinator has ended.
  func closeQueue() {
    for posted in queue.close() {
      if let answer = keptAnswer(to: posted.cause) { posted.reply(answer) } else { posted.answerAfterEnd(root: root) }
    }
  }

  /// Handles an event while another one waits for its provider.
  func overtake(_ posted: Posted) async {
    if let answer = keptAnswer(to: posted.cause) { return posted.reply(answer) }
    let newcomers = running.newcomers
    await transact(posted)
    running.replaceNewcomers(with: newcomers)
  }

  // MARK: Coordinators

  /// Discards the coordinators that were created for a dropped transition.
  func discardNewcomers() { running.replaceNewcomers(with: Dictionary()) }

  /// Returns the coordinator at a path, creating it if it has just been started.
  func coordinator(at path: CoordinatorPath, _ transition: Transition) throws -> any RunningCoordinator {
    if let coordinator = running[path] ?? running.newcomers[path] { return coordinator }
    guard let record = transition.after.coordinators[path] else { throw CallError.unknownCoordinator(path) }
    // Only a provider can have left since the coordinator was added to the transition.
    guard let definition = environment.catalogue[record.flow] else {
      throw ProviderTrouble.gone("nothing serves the flow \(record.flow) at the moment")
    }
    let coordinator = try definition.makeCoordinator(input: record.input)
    running.add(newcomer: coordinator, at: path)
    return coordinator
  }

  /// Creates a restored coordinator, so that its work can continue.
  func restoreCoordinator(_ record: CoordinatorRecord) {
    // The input was decoded when the tree was restored, so decoding succeeds.
    let coordinator = try? environment.catalogue[record.flow]?.makeCoordinator(input: record.input)
    running.restore(coordinator, as: record)
  }

  /// Starts the task of a piece of work, on the tree's work executor.
  func startTask(of id: WorkID, _ body: @escaping @Sendable () async -> Void) {
    work.start(id, on: workExecutor, body)
  }

  // MARK: State

  /// Adopts the state after a transition that has been stored, and cancels work.
  @inline(never)
  func takeOver(_ publication: Publication, cancelling cancelled: [WorkID]) {
    state = publication.state
    running.adoptNewcomers { state.coordinators[$0] != nil }
    for ended in publication.ended {
      running.remove(ended.path)
      held.forget(ended.path)
      viewing.reports?.forget(ended.path)
    }
    viewing.set(top: state.window.top?.coordinator)
    if !cancelled.isEmpty { cancel(work.remove(cancelled)) }
  }

  /// Adopts a window that differs from the present one in live values only.
  func show(live window: Window) { state.changeWindow { $0 = window } }

  /// Holds a coordinator, or releases it; see ``TreeState/setHold(of:to:)``.
  func recordHold(of path: CoordinatorPath, to hold: Hold?) -> [Publication.Updated] { state.setHold(of: path, to: hold) }

  /// Returns the hold of a coordinator, or the one before its retrial; nil if there is none.
  func lastHold(of path: CoordinatorPath) -> Hold? { state.coordinators[path]?.hold ?? held.holdBeforeRetrial(of: path) }

  /// The attempts to ask about the event that is being retried; nil if none is.
  var retrialHistory: AskingHistory? { held.retrialHistory }

  /// The coordinator whose event is being retried because a client has requested it.
  var wantedRetry: CoordinatorPath? { held.wantedRetry }

  /// Keeps an event until its coordinator is no longer held.
  func keep(_ cause: Cause, of path: CoordinatorPath) { held.keep(cause, of: path) }

  /// Begins to retry the events that a held coordinator waits for: releases the coordinator, and compares it with its provider.
  ///
  /// - Returns: the events that were kept, in order of arrival.
  func beginRetrial(of path: CoordinatorPath, _ hold: Hold, isWanted: Bool) -> [Cause] {
    // Reported only if the coordinator is not held again.
    _ = state.setHold(of: path, to: nil)
    knownFlows = .max
    return held.beginRetrial(Retrial(of: path, hold, isWanted: isWanted))
  }

  /// Records that the retried event has been handled.
  func retrialHasSucceeded() { held.retrialHasSucceeded() }

  /// Ends the retrial.
  func endRetrial() { held.endRetrial() }

  /// Records that the tree has been compared with the flows that are served.
  func hasComparedFlows(of generation: UInt64) { knownFlows = generation }

  // MARK: Viewers

  /// Returns the live show of the tree, and creates it on first use.
  func startedLiveShow() -> LiveShow {
    viewing.startedShow(top: state.window.top?.coordinator, whenWorkWaits: environment.whenWorkWaits)
  }

  /// Notifies coordinators of provided flows whether a user views their screens, if that has changed and their flows request
  /// the notification.
  func tellWhoIsLookedAt() {
    let change = viewing.look(at: state.window.top?.coordinator) { path in
      guard let record = state.coordinators[path] else { return false }
      return environment.catalogue[record.flow]?.wantsLooking == true
    }
    if let path = change.left { post(Posted(.looking(path, false))) }
    if let path = change.entered { post(Posted(.looking(path, true))) }
  }
}
