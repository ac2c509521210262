import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Restores the trees of a previous daemon while serving (rule 10). A call for a tree that has not been restored yet
/// waits for it.
extension FlowHost {
  /// The number of trees that are read at once: large enough to make reading cheap, small enough that no call waits
  /// long for one tree.
  static let batch = 128

  /// Restores all trees. Runs concurrently with the event loop.
  ///
  /// - Parameter journal: the journal to restore from, which also stores everything from now on.
  /// - Throws: `JournalError` if the roots cannot be read. The host must not serve then, since it would store new trees
  ///   beside them.
  nonisolated func restore(from journal: Journal) async throws(JournalError) {
    let start = ContinuousClock.now
    let stored = try await journal.roots()
    self.journal.withLock { $0 = journal }
    let restorer = restorer(of: journal)
    var batch = await begin(stored)
    var readings = await restorer.readings(of: batch)
    var results: [RestoringResult] = []
    while !batch.isEmpty {
      // A batch is read while the previous one is decoded.
      let next = await take(results).next
      async let following = restorer.readings(of: next)
      results = await restorer.takeUp(batch, readings)
      (batch, readings) = (next, await following)
    }
    _ = await take(results)
    // If the daemon is ending, waiting calls must not be answered as if their flows did not exist.
    guard !Task.isCancelled else { return }
    await endRestoration()
    guard !stored.live.isEmpty else { return }
    let seconds = start.duration(to: .now) / .seconds(1)
    let held = await roots.held.count
    logger.notice(
      "flows restored",
      metadata: ["flows": "\(stored.live.count + stored.damaged.count - held)", "held": "\(held)", "seconds": "\(seconds)"])
  }

  /// The result of restoring a stored tree.
  typealias RestoringResult = (root: StoredRoot, result: TreeRestorer.Result)

  /// The restorer of the journal's trees; nil without a journal.
  nonisolated var restorer: TreeRestorer? { journal.withLock(\.self).map { restorer(of: $0) } }

  private nonisolated func restorer(of journal: Journal) -> TreeRestorer {
    TreeRestorer(
      trees: { roots throws(JournalError) in try await journal.trees(of: roots) },
      environment: { self.environment(restoring: $0) },
      watch: restoringWatch)
  }

  /// Restoring a tree may take as long as a handler.
  private nonisolated var restoringWatch: TreeRestorer.Watch {
    let deadline = handlerWatch.withLock(\.deadline)
    return TreeRestorer.Watch(deadline: deadline) { [loop = connection.loop] body in
      let timer = loop.schedule(after: deadline, body)
      return { timer.cancel() }
    }
  }

  // MARK: On the event loop

  private func begin(_ stored: StoredRoots) -> [StoredRoot] {
    let (stored, nameless) = stored.divided()
    for name in nameless {
      logger.error("the name of a stored flow is not a valid object name; left unchanged", metadata: ["coordinator": "\(name)"])
    }
    roots.load(stored)
    for root in roots.held.all { logHeld(root.name, flow: root.flow, reason: root.reason) }
    redeliver(restoration.begin(stored.live))
    return restoration.next(Self.batch)
  }

  /// Makes restored trees live, and holds those that cannot be restored.
  ///
  /// - Returns: the number of trees that were restored; and the roots to restore next after a restart, none if the
  ///   daemon is ending.
  func take(_ results: [RestoringResult]) -> (takenUp: Int, next: [StoredRoot]) {
    var count = 0
    for (root, result) in results {
      switch result {
      case .takenUp(let tree, let state): count += hasRestored(root, tree, state) ? 1 : 0
      case .held(let outline, let reason): hold(root, outline, reason: reason)
      }
      redeliver(restoration.hasEnded(root.name))
    }
    return (count, Task.isCancelled ? [] : restoration.next(Self.batch))
  }

  private func hasRestored(_ root: StoredRoot, _ tree: FlowTree, _ state: TreeState) -> Bool {
    guard let (live, before) = roots.hasRestored(root, tree, state) else { return false }
    if let before {
      bus.send(Announcement.difference(between: before, and: .live(live)))
      logger.notice("a held flow was restored", metadata: ["coordinator": "\(root.name)", "flow": "\(root.flow)"])
    }
    if let deadline = root.deadline { end(live, at: deadline) }
    if let owner = root.owner { bind(live, to: owner) }
    if state.hasWork { Task(executorPreference: globalConcurrentExecutor) { await tree.resume() } }
    return true
  }

  /// Ends a root when its caller leaves the bus. If the caller left while no daemon was running, ends the root now.
  private func bind(_ root: LiveRoot, to owner: StoredRoot.Owner) {
    guard owner.bus == busID else { return close(root.name, isTimeout: false) }
    track(owner.name)
    _ = clients.bind(root.name, to: owner.name)
  }

  private func endRestoration() {
    redeliver(restoration.end())
    activityHasChanged()
  }

  func redeliver(_ calls: [IncomingCall]) {
    guard !calls.isEmpty else { return }
    connection.assumeIsolated { connection in
      for call in calls { connection.deliver(call) }
    }
  }

  // MARK: Waiting calls

  /// Holds back a call that needs something that has not been restored yet.
  ///
  /// - Returns: whether the call is held back.
  func holdBack(_ call: IncomingCall) -> Bool {
    guard !restoration.isDone else { return false }
    let need = need(of: call)
    guard restoration.isMissing(need) else { return false }
    restoration.hold(call, for: need)
    return true
  }

  private func need(of call: IncomingCall) -> RestorationNeed {
    if call.path == Contract.flowsPath { return .everything }
    guard call.path == Contract.rootPath else {
      return CoordinatorPath(objectPath: call.path).map { .root(String($0.root)) } ?? .nothing
    }
    switch call.member {
    case "ListFlows": return .nothing
    case "StartFlow", "RunFlow": return reader.token(call.arguments).map { .root($0) } ?? .names
    case "GetOutcome":
      let path = call.arguments.first?.objectPath.flatMap { CoordinatorPath(objectPath: $0) }
      return path.map { .root(String($0.root)) } ?? .nothing
    default: return .everything
    }
  }
}

extension StoredRoots {
  /// Splits off the roots whose names cannot be object paths, because something other than this program has changed
  /// them.
  fileprivate func divided() -> (addressable: StoredRoots, nameless: [String]) {
    func canBeNamed(_ name: String) -> Bool { (try? Contract.flowPath(root: name)) != nil }
    var rest = self
    rest.live.removeAll { !canBeNamed($0.name) }
    rest.damaged.removeAll { !canBeNamed($0.name) }
    return (rest, (live.map(\.name) + damaged.map(\.name)).filter { !canBeNamed($0) })
  }
}
