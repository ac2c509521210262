import Languages

extension FlowTree {
  /// Stores a complete transition, adopts it, publishes it, starts its work, and replies, in this order (rule 3).
  ///
  /// - Returns: whether the transition was stored. If not, an event without a waiting caller is retried.
  @inline(never)
  func conclude(
    _ transition: CompleteTransition, answer: TreeAnswer?, failure: Failure?, _ posted: Posted
  ) async -> Bool {
    var publication = transition.publication
    if let failure { publication.occasion.failure = failure }
    let failure = failure ?? publication.state.failureOfRoot
    let answer = answer ?? .revision(publication.state.revision)
    if case .call(let call, let key?, _) = posted.cause {
      publication.state.record(.init(answer, failure), to: fingerprint(of: call), key: key)
      publication.request = key
    }
    publication.rewriteMigrated()
    do {
      if !publication.changesNothing { try await environment.store?.commit(publication) }
    } catch {
      repeatLater(posted.cause)
      posted.reply(.failure(.notStored(String(describing: error))))
      return false
    }
    if isAbandoned { return true }
    if case .work(let path, let id) = posted.cause, failure == nil {
      running[path]?.discardProduct(of: id)
      // The result may have been stored before the work began.
      if let task = work.remove(id) { cancel([task]) }
    }
    takeOver(publication, cancelling: transition.cancelledWork)
    for secret in transition.wiped { secret.wipe() }
    if transition.changesTimers { environment.whenTimersChange(root, state.nextTimers) }
    if !publication.isEmpty || publication.unendingFailure != nil {
      await environment.observer.publish(publication)
    } else if !publication.changesNothing {
      await environment.observer.note(publication)
    }
    begin(transition.orders)
    tellWhoIsLookedAt()
    posted.reply(failure.map { .failure(.failed($0)) } ?? .success(answer))
    if !state.isAlive { closeQueue() }
    return true
  }

  /// Retries an event for which no caller waits, so that it is not lost if, for example, the disk was full.
  private nonisolated func repeatLater(_ cause: Cause) {
    guard cause.mustNotGetLost else { return }
    environment.unawaited.addAgain { self.post(Posted(cause, inTurn: $0)) }
  }

  /// Returns the fingerprint of a call with a request key. The form of its screen determines which fields are secret.
  private func fingerprint(of call: TreeCall) -> CallFingerprint {
    guard case .delegate(_, .some(let id), _, _, _) = call, let form = state.window[id]?.content.form else {
      return CallFingerprint(call, secretFields: [])
    }
    return CallFingerprint(call, secretFields: form.schema.secretFields)
  }

  /// Cancels work, each piece on a new work executor: not on the calling thread, because a cancellation handler may
  /// block forever as well, and not in a queue behind the work itself.
  nonisolated func cancel(_ work: [Task<Void, Never>]) {
    for work in work { Task(executorPreference: environment.makeWorkExecutor()) { work.cancel() } }
  }

  /// Starts the work of a transition that has been stored. The work runs concurrently, on a dedicated executor; otherwise, its
  /// task would inherit the preference for the loop's executor.
  func begin(_ orders: [WorkOrder]) {
    let translation = orders.isEmpty ? nil : state.language.flatMap(environment.catalogue.translations.language(for:))
    for order in orders {
      guard let coordinator = running[order.coordinator] else { continue }
      let observer = environment.observer
      let root = root
      let screen = order.record.screen
      let liveShow = startedLiveShow()
      let context = SharedWorkContext(
        secrets: order.secrets,
        report: { if let screen { observer.report($0, on: screen, of: root) } },
        show: { [weak self, reports = liveShow.reports] in
          self?.take($0, from: order.record.id, of: order.coordinator, reports)
        },
        watching: liveShow.watching, coordinator: order.coordinator,
        pause: { [sleep = environment.sleep] in try await sleep(order.record.id, $0) },
        attempts: coordinator.isProvided ? attempts(of: order) : nil)
      startTask(of: order.record.id) {
        if let translation {
          await Translation.$current.withValue(translation) {
            await coordinator.perform(order.record, in: WorkContext(shared: context))
          }
        } else {
          await coordinator.perform(order.record, in: WorkContext(shared: context))
        }
        for secret in order.secrets.values { secret.wipe() }
        self.environment.whenWorkIsDone(order.record.id) { self.workIsDone(order) }
      }
    }
  }

  private nonisolated func workIsDone(_ order: WorkOrder) {
    work.remove(order.record.id)
    post(Posted(.work(order.coordinator, order.record.id)))
  }
}

extension TreeState {
  /// Why the root failed; nil if it did not fail.
  fileprivate var failureOfRoot: Failure? {
    guard case .failed(let failure) = outcomes[root] else { return nil }
    return failure
  }
}

extension RequestLedger.Answer {
  fileprivate init(_ answer: TreeAnswer, _ failure: Failure?) {
    if let failure {
      self = .failed(failure)
      return
    }
    switch answer {
    case .revision(let revision): self = .revision(revision)
    case .child(let path): self = .child(path)
    }
  }
}
