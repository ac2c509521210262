extension FlowHost {
  /// Answers the calls that have arrived, and prevents flows from being started. Stored flows continue in the next
  /// daemon.
  func close() async {
    // The limit keeps a stuck handler from delaying the end of the daemon. During the restoration there is no point in
    // waiting: calls that wait for trees to be restored will not be answered.
    if restoration.isDone { await connection.answerCalls(for: .seconds(3)) }
    isClosing = true
  }

  /// Ends all flows, newest first, and waits until their ends are announced on the bus. Used when nothing is persisted,
  /// so that no flow would outlive the daemon anyway.
  func endAll() async {
    isClosing = true
    isEndingAll = true
    for root in roots.liveInOrder.reversed() { root.tree.close(isTimeout: false) }
    guard !roots.live.isEmpty else { return }
    // A stuck handler must not delay the end of the daemon.
    connection.loop.schedule(after: .seconds(5)) { self.assumeIsolated { $0.resumeDrainWaiters() } }
    await withCheckedContinuation { drainWaiters.append($0) }
  }

  func resumeDrainWaiters() {
    for waiter in drainWaiters { waiter.resume() }
    drainWaiters = []
  }
}
