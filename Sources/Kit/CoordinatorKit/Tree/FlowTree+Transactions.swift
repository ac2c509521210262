extension FlowTree {
  /// Runs a transition; if a handler failed, runs a second one that ends the failed coordinator. Stores, publishes and
  /// replies.
  func transact(_ posted: Posted) async {
    var patience = ProviderPatience(environment.limits.maxProviderTime)
    await transact(posted, &patience)
  }

  /// Runs a transition as ``transact(_:)`` does; the transition may have waited for providers before.
  @inline(never)
  func transact(_ posted: Posted, _ patience: inout ProviderPatience) async {
    let attempt = await attempt(posted, &patience)
    if isAbandoned { return }
    switch attempt {
    case .refused(let error):
      posted.reply(.failure(error))
    case .complete(let transition, let answer):
      guard await conclude(transition, answer: answer, failure: nil, posted) else { return }
      if case .workResult(let instance, let work, .ended) = posted.cause { workHasEnded(work, of: instance) }
      for (path, obstacle) in transition.postponed.sorted(by: { $0.key.text < $1.key.text }) {
        await hold(path, because: obstacle, Posted(.childEnd(path)))
      }
    case .held(let path, let obstacle):
      await hold(path, because: obstacle, posted)
    case .failed(let path, let failure):
      // A result that has already ended other coordinators is the fault of the coordinator that it belongs to, which might
      // start them again repeatedly.
      let blamed = posted.repeats < Self.maxRepeats ? path : posted.cause.coordinator(in: state) ?? path
      if await fail(blamed, failure, posted, &patience) { repeatIfUnheard(posted) }
    }
  }

  /// Notifies a coordinator that the result of its work has been stored.
  private func workHasEnded(_ work: String, of instance: FlowInstance) {
    guard let record = state.coordinators[instance.path], record.startedAt == instance.startedAt,
      let ended = record.work.first(where: { $0.key == WorkKey(work) }), ended.result != nil
    else { return }
    post(Posted(.work(instance.path, ended.id)))
  }

  /// The number of times that a work result or a timer may end coordinators other than its own.
  private static var maxRepeats: Int { 2 }

  /// Re-posts a work result or a timer whose transition was dropped because another coordinator failed.
  private func repeatIfUnheard(_ posted: Posted) {
    switch posted.cause {
    case .work(let path, let id), .interruption(let path, let id):
      guard state.coordinators[path]?.work.contains(where: { $0.id == id }) == true else { return }
      post(Posted(posted.cause, repeats: posted.repeats + 1))
    case .lostSecrets(let path):
      guard state.coordinators[path]?.belongings.lostSecrets.isEmpty == false else { return }
      post(Posted(posted.cause, repeats: posted.repeats + 1))
    case .timer:
      guard state.dueTimer(at: environment.moment) != nil else { return }
      post(Posted(posted.cause, repeats: posted.repeats + 1))
    case .start, .call, .close, .live, .renderers, .looking, .retry, .workResult, .childEnd, .migration: break
    }
  }

  /// Ends the coordinator that threw, if it was alive before the dropped transition.
  ///
  /// A coordinator that was just being started leaves nothing behind. If no caller waits for a reply, its nearest live ancestor
  /// fails in its place; otherwise, the ancestor would not be notified of the failure.
  ///
  /// - Returns: whether the end was stored.
  @inline(never)
  private func fail(
    _ path: CoordinatorPath, _ failure: Failure, _ posted: Posted, _ patience: inout ProviderPatience
  ) async -> Bool {
    if case .start = posted.cause {
      posted.reply(.failure(.failed(failure)))
      return false
    }
    var failures: [CoordinatorPath: Failure] = [:]
    if let blamed = blame(path, hasCaller: posted.cause.hasCaller) { failures[blamed] = failure }
    while true {
      let attempt = await attempt(posted, failures: failures, &patience)
      if isAbandoned { return false }
      switch attempt {
      case .complete(let transition, _):
        guard await conclude(transition, answer: nil, failure: failure, posted) else { return false }
        for (path, obstacle) in transition.postponed.sorted(by: { $0.key.text < $1.key.text }) {
          await hold(path, because: obstacle, Posted(.childEnd(path)))
        }
        return true
      case .held(let owner, let obstacle):
        // A coordinator that would need to handle the failure is held.
        if posted.cause.hasCaller {
          posted.reply(.failure(Hold(obstacle, after: nil).error(at: owner)))
        } else {
          await hold(owner, because: obstacle, posted)
        }
        return false
      case .failed(let other, let reason):
        failures[blame(other, hasCaller: false) ?? root] = reason
      case .refused(.provider(let trouble)):
        // The provider of a coordinator that would need to handle the failure did not answer.
        posted.reply(.failure(.provider(trouble)))
        return false
      case .refused(.unknownCoordinator(root)):
        // The tree was ended while a provider was asked.
        posted.answerAfterEnd(root: root)
        return false
      case .refused:
        failures[root] = failure
      }
    }
  }

  private func blame(_ path: CoordinatorPath, hasCaller: Bool) -> CoordinatorPath? {
    guard state.coordinators[path] == nil else { return path }
    guard !hasCaller else { return nil }
    var ancestor = path.parent
    while let path = ancestor {
      if state.coordinators[path] != nil { return path }
      ancestor = path.parent
    }
    return nil
  }

  // MARK: One attempt

  /// Calls the handlers that a cause triggers, one after the other.
  @inline(never)
  private func attempt(
    _ posted: Posted, failures: [CoordinatorPath: Failure]? = nil, _ patience: inout ProviderPatience
  ) async -> TransitionAttempt.Verdict {
    queue.handlersBegin()
    defer { queue.handlersEnd() }
    discardNewcomers()
    let cause = posted.cause
    // A separate variable would reserve space in the frame of this method twice.
    var attempt = TransitionAttempt(
      cause, failures: failures, occasion(of: cause),
      Transition(
        from: state, catalogue: environment.catalogue, limits: environment.limits, at: environment.moment,
        caller: cause.caller, retried: wantedRetry))
    if let retrialHistory { attempt.keep(retrialHistory) }
    while true {
      switch attempt.next() {
      case .end(let verdict):
        return verdict
      case .discardProduct(let id, let path):
        running[path]?.discardProduct(of: id)
      case .call(let handler, let path):
        guard let coordinator = coordinator(at: path, &attempt) else { continue }
        if coordinator.isProvided {
          guard let time = patience.timeForAnother(at: .now) else {
            attempt.take(.failure(ProviderTrouble.timeout("the decisions about one event take too long")))
            continue
          }
          posted.whenWaiting?()
          guard
            let history = await prepare(
              coordinator, handler, path, attempt.transition, after: retrialHistory ?? AskingHistory(), within: time)
          else { return .refused(.unknownCoordinator(root)) }
          attempt.keep(history)
          attempt.keepResults(of: state)
        }
        attempt.take(await coordinator.handle(handler, of: path, in: attempt.transition))
      case .askWhetherCancellable(let path):
        guard let coordinator = coordinator(at: path, &attempt) else { continue }
        attempt.take(canBeCancelled: await coordinator.canBeCancelled(at: path, in: attempt.transition))
      }
    }
  }

  private func occasion(of cause: Cause) -> Occasion {
    var occasion = cause.occasion(in: state)
    // The end of cancelled work is not delivered.
    guard case .work(let path, let id) = cause, let work = state.coordinators[path]?.work.first(where: { $0.id == id }) else {
      return occasion
    }
    switch work.result {
    case .failed(let trouble): occasion.failure = Failure(thrown: trouble)
    case .done: break
    case nil: occasion.failure = running[path]?.failure(of: id)
    }
    return occasion
  }

  private func coordinator(at path: CoordinatorPath, _ attempt: inout TransitionAttempt) -> (any RunningCoordinator)? {
    do {
      return try coordinator(at: path, attempt.transition)
    } catch {
      attempt.fail(error)
      return nil
    }
  }
}
