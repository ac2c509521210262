import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Takes up again what a daemon before this one has left (rule 10), beside serving: a call for a tree that is not back yet waits for it.
extension FlowHost {
  /// How many trees are read at once: enough that reading costs little, few enough that nobody waits long for one.
  private static let batch = 128

  /// Takes all trees up again. Runs beside the loop.
  ///
  /// - Parameter journal: what was kept, and what keeps everything from now on.
  /// - Throws: `JournalError` if it cannot be told which trees there are. Then nothing may be served, since it would be kept beside them.
  nonisolated func restore(from journal: Journal) async throws(JournalError) {
    let start = ContinuousClock.now
    let known = journal.notices.count
    let stored = try await journal.roots()
    for notice in journal.notices.dropFirst(known) { logger.critical("\(notice)") }
    self.journal.withLock { $0 = journal }
    var batch = await begin(stored)
    var trees = await read(batch, journal)
    var results: [RestoringResult] = []
    while !batch.isEmpty {
      // One is read while the one before is decoded.
      let next = await take(results)
      async let following = read(next, journal)
      results = await restore(batch, trees, journal)
      (batch, trees) = (next, await following)
    }
    _ = await take(results)
    // Who still waits must not be told that there is nothing, only because the daemon ends.
    guard !Task.isCancelled else { return }
    await endRestoration()
    guard !stored.live.isEmpty else { return }
    let seconds = start.duration(to: .now) / .seconds(1)
    logger.notice("flows are back", metadata: ["flows": "\(stored.live.count)", "seconds": "\(seconds)"])
  }

  /// What has become of a tree that was stored.
  private typealias RestoringResult = (root: StoredRoot, tree: Result<(tree: FlowTree, state: TreeState), RestoringError>)

  private nonisolated func restore(
    _ roots: [StoredRoot], _ trees: [String: StoredTree], _ journal: Journal
  ) async -> [RestoringResult] {
    var results: [RestoringResult] = []
    for root in roots {
      do throws(RestoringError) {
        guard let tree = trees[root.name] else { throw .incomplete(CoordinatorPath(root: root.name)) }
        results.append((root, .success(try await FlowTree.restore(tree, environment: environment(restoring: root)))))
      } catch {
        // Nothing can be read any more when the daemon ends, which is no fault of the tree's.
        guard !Task.isCancelled else { return results }
        await store(error.failure, of: root, journal)
        results.append((root, .failure(error)))
      }
    }
    return results
  }

  /// Reads trees, one by one if one of them cannot be read.
  private nonisolated func read(_ roots: [StoredRoot], _ journal: Journal) async -> [String: StoredTree] {
    guard !roots.isEmpty else { return [:] }
    if let trees = try? await journal.trees(of: roots) { return trees }
    var trees: [String: StoredTree] = [:]
    for root in roots { trees.merge((try? await journal.trees(of: [root])) ?? [:]) { $1 } }
    return trees
  }

  private nonisolated func store(_ failure: Failure, of root: StoredRoot, _ journal: Journal) async {
    logger.error(
      "a flow cannot be taken up again and has failed",
      metadata: ["coordinator": "\(root.name)", "flow": "\(root.flow)", "reason": "\(failure.message)"])
    do {
      try await journal.fail(root, failure, at: WallClock.microseconds())
    } catch {
      logger.warning("that a flow has failed cannot be stored", metadata: ["coordinator": "\(root.name)", "error": "\(error)"])
    }
  }

  // MARK: What the loop is told

  private func begin(_ stored: StoredRoots) -> [StoredRoot] {
    roots.load(stored)
    redeliver(restoration.begin(stored.live))
    return restoration.next(Self.batch)
  }

  /// Takes trees among the live ones.
  ///
  /// - Returns: those to take up next; none when the daemon ends.
  private func take(_ results: [RestoringResult]) -> [StoredRoot] {
    for (root, result) in results {
      switch result {
      case .success((let tree, let state)): hasRestored(root, tree, state)
      case .failure(let error): roots.hasNotRestored(root, .failed(error.failure))
      }
      redeliver(restoration.hasEnded(root.name))
    }
    return Task.isCancelled ? [] : restoration.next(Self.batch)
  }

  private func hasRestored(_ root: StoredRoot, _ tree: FlowTree, _ state: TreeState) {
    guard let live = roots.hasRestored(root, tree, state) else { return }
    if let deadline = root.deadline { end(live, at: deadline) }
    if let owner = root.owner { bind(live, to: owner) }
    if state.hasWork { Task(executorPreference: globalConcurrentExecutor) { await tree.resume() } }
  }

  /// Ends a tree with its caller, which may have left while nobody was there to see it.
  private func bind(_ root: LiveRoot, to owner: StoredRoot.Owner) {
    guard owner.bus == busID else { return close(root.name, isTimeout: false) }
    track(owner.name)
    clients[owner.name]?.flows.insert(root.name)
  }

  private func endRestoration() {
    redeliver(restoration.end())
    activityHasChanged()
  }

  private func redeliver(_ calls: [IncomingCall]) {
    guard !calls.isEmpty else { return }
    connection.assumeIsolated { connection in
      for call in calls { connection.deliver(call) }
    }
  }

  // MARK: Calls that wait

  /// Keeps a call that needs what is not back yet.
  ///
  /// - Returns: whether it was kept.
  func holdBack(_ call: IncomingCall) -> Bool {
    guard !restoration.isDone else { return false }
    let need = need(of: call)
    guard restoration.isMissing(need) else { return false }
    restoration.hold(call, for: need)
    return true
  }

  private func need(of call: IncomingCall) -> Restoration.Need {
    if call.path == Contract.flowsPath { return .everything }
    guard call.path == Contract.rootPath else {
      return CoordinatorPath(objectPath: call.path).map { .root(String($0.root)) } ?? .nothing
    }
    switch call.member {
    case "ListFlows": return .nothing
    case "StartFlow", "RunFlow": return token(of: call).map { .root($0) } ?? .names
    case "GetOutcome":
      let path = call.arguments.first?.objectPath.flatMap { CoordinatorPath(objectPath: $0) }
      return path.map { .root(String($0.root)) } ?? .nothing
    default: return .everything
    }
  }

  private func token(of call: IncomingCall) -> String? {
    guard case .dictionary(_, _, let options)? = call.arguments.last else { return nil }
    let token = options.first { $0.key == .string(Options.Key.token.rawValue) }
    guard case .variant(let value)? = token?.value else { return nil }
    return value.string
  }
}
