/// Waits for providers.
extension FlowTree {
  /// Waits until the provider of a coordinator has decided. The watch over handlers does not count that time, and events
  /// that end the tree, or only record a result, do not wait (P13, P17).
  ///
  /// - Returns: what has come of asking so far; nil if the tree has ended, so that the answer is of no use.
  func prepare(
    _ coordinator: any RunningCoordinator, _ handler: HandlerCall, _ path: CoordinatorPath, _ transition: Transition,
    after history: AskingHistory, within time: Duration
  ) async -> AskingHistory? {
    let wait = ProviderWait()
    let behind = queue.withLock { [root] queue in
      queue.handlersEnd()
      queue.beginWaiting(wait) { $0.cause.overtakes(root: root) }
      return queue.waiting
    }
    for posted in behind { posted.whenWaiting?() }
    let asking = Task(executorPreference: environment.executor) {
      defer { wait.end() }
      return await coordinator.prepare(handler, of: path, in: transition, after: history, within: time)
    }
    while true {
      while let posted = queue.withLock({ $0.takeOvertaking() }) {
        await overtake(posted)
        guard state.isAlive || state.revision == 0, !isAbandoned else { break }
      }
      if isAbandoned || (!state.isAlive && state.revision > 0) {
        asking.cancel()
        return nil
      }
      if wait.hasAnswer { break }
      await wait.news()
    }
    queue.withLock { queue in
      queue.endWaiting()
      queue.handlersBegin(at: .now)
    }
    return await asking.value
  }

  /// Handles an event in the middle of another one, which does not begin before the provider has answered.
  private func overtake(_ posted: Posted) async {
    if let answer = keptAnswer(to: posted.cause) { return posted.reply(answer) }
    let newcomers = newcomers
    await transact(posted)
    self.newcomers = newcomers
  }
}
