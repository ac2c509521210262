import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Handles held trees: restoring them is retried, and they end only if a client dismisses them (rule 10).
extension FlowHost {
  /// Handles `RetryHeld`.
  func retryHeld(_ call: IncomingCall) {
    guard retries.add(call) else { return }
    Task(executorPreference: globalConcurrentExecutor) {
      while case let calls = await self.nextRetries(), !calls.isEmpty {
        let count = await self.retry(await self.roots.held.retryable) + self.retryCoordinators()
        await self.answerRetries(calls, count)
      }
    }
  }

  private func nextRetries() -> [IncomingCall] { retries.next() }

  private func answerRetries(_ calls: [IncomingCall], _ count: Int) {
    let left = roots.held.count + roots.live.values.reduce(0) { $0 + $1.state.holds.count }
    for call in calls { call.reply([.uint32(UInt32(clamping: count)), .uint32(UInt32(clamping: left))]) }
  }

  /// Tries again what held coordinators of live trees wait for.
  ///
  /// - Returns: the number of coordinators that are no longer held.
  private func retryCoordinators() async -> Int {
    var count = 0
    for root in roots.liveInOrder where !root.state.holds.isEmpty {
      await withCheckedContinuation { done in root.tree.retryHeld { _ in done.resume() } }
      // An event that cannot be handled holds its coordinator again before it is answered.
      let still = roots.live[root.name]?.state.holds ?? []
      count += root.state.holds.filter { !still.contains($0) }.count
    }
    return count
  }

  /// Tries to restore held trees.
  ///
  /// - Parameter roots: the roots of the trees.
  /// - Returns: the number of trees that were restored.
  private nonisolated func retry(_ roots: [StoredRoot]) async -> Int {
    guard let restorer = environments.journal.map(restorer(of:)) else { return 0 }
    var (count, left) = (0, roots[...])
    while !left.isEmpty {
      let batch = Array(left.prefix(TreeRestorer.batch))
      left = left.dropFirst(TreeRestorer.batch)
      count += await take(restorer.takeUp(batch, restorer.readings(of: batch))).takenUp
    }
    return count
  }

  /// Ends a held tree if the call dismisses its root: stores and announces the end, and answers the call. Refuses all
  /// other calls.
  func post(_ call: IncomingCall, _ request: TreeRequest, toHeld root: HeldRoot) {
    guard case .dismiss(root.path, _) = request.call, let journal = environments.journal else {
      return call.fail(.held(root.reason))
    }
    guard let root = roots.held.beginEnd(root.name) else { return roots.held.wait(call, for: root.name) }
    Task(executorPreference: globalConcurrentExecutor) {
      do {
        let end = try HeldDismissal(of: root, request, by: call.caller, at: self.clock.now)
        try await journal.end(end.root, end.change)
        await self.heldHasEnded(root.name, end.requests, call)
      } catch {
        await self.heldHasNotEnded(root.name, error, call)
      }
    }
  }

  private func heldHasNotEnded(_ name: String, _ error: any Error, _ call: IncomingCall) {
    call.fail(CallError.notStored(String(describing: error)).dbusError)
    redeliver(roots.held.hasNotEnded(name))
  }

  private func heldHasEnded(_ name: String, _ requests: RequestLedger, _ call: IncomingCall) {
    guard let root = roots.heldHasEnded(name, requests) else { return }
    releaseClients(of: name, owner: root.owner?.name, root.clients)
    activityHasChanged()
    bus.send(Announcement.end(ofHeld: root), to: hearers(of: root.flow, root.clients.renderers))
    for waiter in root.clients.waiters { waiter.answer(endOf: root.path, ToldOutcome(outcome: .cancelled)) }
    call.reply([.uint64(root.revision)])
    log.logDismissed(root)
    redeliver(root.waitingCalls)
  }
}
