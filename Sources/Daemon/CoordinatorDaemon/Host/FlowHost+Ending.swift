extension FlowHost {
  /// Answers the calls that have come, and lets nothing more begin; flows that are kept go on in the next daemon.
  func close() async {
    // A handler that does not return must not keep the daemon from ending; and what waits for flows to be back will not get them.
    if restoration.isDone { await connection.answerCalls(for: .seconds(3)) }
    isClosing = true
  }

  /// Ends every flow, newest first, and waits until the bus was told: nothing of them would be left after the daemon's end anyway.
  func endAll() async {
    isClosing = true
    isEndingAll = true
    for root in roots.liveInOrder.reversed() { root.tree.close(isTimeout: false) }
    guard !roots.live.isEmpty else { return }
    // A handler that does not return must not keep the daemon from ending.
    connection.loop.schedule(after: .seconds(5)) { self.assumeIsolated { $0.resumeDrainWaiters() } }
    await withCheckedContinuation { drainWaiters.append($0) }
  }

  func resumeDrainWaiters() {
    for waiter in drainWaiters { waiter.resume() }
    drainWaiters = []
  }
}
