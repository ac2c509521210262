import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Logging

/// Handles trees that cannot be restored. They are held: tried again, and ended only if a client dismisses them (rule
/// 10).
extension FlowHost {
  // MARK: Holding

  /// Holds a tree. If it was already held, emits what has changed.
  ///
  /// - Parameters:
  ///   - root: the stored data of the root.
  ///   - outline: what is known of the tree; nil if nothing could be read.
  ///   - reason: the reason.
  func hold(_ root: StoredRoot, _ outline: TreeOutline?, reason: String) {
    let before = roots.hold(root, outline, reason: reason)
    // The tree may have been dismissed during the attempt.
    guard let after = roots.held[root.name] else { return }
    if let before {
      bus.send(Announcement.difference(between: before, and: .held(after)))
    } else {
      // The caller is watched nevertheless: once it leaves, its flows no longer count against its limit.
      if let owner = root.owner, owner.bus == busID { track(owner.name) }
      logHeld(root.name, flow: root.flow, reason: reason)
    }
  }

  func logHeld(_ name: String, flow: String, reason: String) {
    logger.error("a flow is held", metadata: ["coordinator": "\(name)", "flow": "\(flow)", "reason": "\(reason)"])
  }

  // MARK: Trying again

  /// Handles `RetryHeld`.
  func retryHeld(_ call: IncomingCall) {
    guard retries.add(call) else { return }
    Task(executorPreference: globalConcurrentExecutor) {
      while case let calls = await self.nextRetries(), !calls.isEmpty {
        let count = await self.retry(await self.roots.held.retryable)
        await self.answerRetries(calls, count)
      }
    }
  }

  private func nextRetries() -> [IncomingCall] { retries.next() }

  private func answerRetries(_ calls: [IncomingCall], _ count: Int) {
    for call in calls { call.reply([.uint32(UInt32(clamping: count)), .uint32(UInt32(clamping: roots.held.count))]) }
  }

  /// Tries to restore held trees.
  ///
  /// - Parameter roots: the roots of the trees.
  /// - Returns: the number of trees that were restored.
  nonisolated func retry(_ roots: [StoredRoot]) async -> Int {
    guard let restorer else { return 0 }
    var (count, left) = (0, roots[...])
    while !left.isEmpty {
      let batch = Array(left.prefix(Self.batch))
      left = left.dropFirst(Self.batch)
      count += await take(restorer.takeUp(batch, restorer.readings(of: batch))).takenUp
    }
    return count
  }

  // MARK: Ending

  /// Ends a held tree whose root is dismissed: stores that, tells it, and answers. Everything else is refused.
  func post(_ call: IncomingCall, _ request: TreeRequest, toHeld root: HeldRoot) {
    guard case .dismiss(root.path, _) = request.call, let journal = journal.withLock(\.self) else {
      return call.fail(.held(root.reason))
    }
    guard let root = roots.held.beginEnd(root.name) else { return roots.held.wait(call, for: root.name) }
    var requests = root.requests
    let entry = request.key.map { key in Result { try requests.keep(.revision(root.revision), to: request.call, key: key) } }
    Task(executorPreference: globalConcurrentExecutor) { [requests] in
      do {
        let request = try entry.map { StoredRequest(key: request.key ?? "", number: 1, entry: try $0.get()) }
        let change = StoredChange(
          dismissing: root.outline, flow: root.flow, request: request, by: call.caller, at: WallClock.microseconds())
        try await journal.end(root.asStored, change)
        await self.heldHasEnded(root.name, requests, call)
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
    bus.send(Announcement.end(ofHeld: root))
    for waiter in root.clients.waiters { answer(waiter, path: root.path, .cancelled) }
    call.reply([.uint64(root.revision)])
    logger.notice("a held flow was dismissed", metadata: ["coordinator": "\(name)", "flow": "\(root.flow)"])
    redeliver(root.waitingCalls)
  }
}
