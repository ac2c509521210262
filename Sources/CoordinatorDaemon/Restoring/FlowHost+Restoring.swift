import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Takes up again what a daemon before this one has left (rule 10), beside serving: a call for a tree that is not back yet waits for it.
extension FlowHost {
  /// How many trees are read at once: enough that reading costs little, few enough that nobody waits long for one.
  private static let batch = 64

  /// Takes all trees up again. Runs beside the loop.
  ///
  /// - Parameter journal: what was kept, and what keeps everything from now on.
  nonisolated func restore(from journal: Journal) async {
    let start = ContinuousClock.now
    self.journal.withLock { $0 = journal }
    do {
      try await begin(journal.roots())
    } catch {
      logger.critical("cannot read what was stored; no flow is taken up again", metadata: ["error": "\(error)"])
      return await endRestoration()
    }
    var counts = (restored: 0, failed: 0)
    while !Task.isCancelled {
      let roots = await nextRoots()
      guard !roots.isEmpty else { break }
      for (root, result) in await trees(of: roots, journal) {
        switch result {
        case .success(let tree):
          counts.restored += 1
          await hasRestored(root, tree)
        case .failure(let error):
          counts.failed += 1
          await hasNotRestored(root, error, journal)
        }
      }
    }
    await endRestoration()
    guard counts.restored + counts.failed > 0 else { return }
    logger.notice(
      "flows are back",
      metadata: [
        "restored": "\(counts.restored)", "failed": "\(counts.failed)", "seconds": "\(start.duration(to: .now) / .seconds(1))",
      ])
  }

  private typealias Restored = (tree: FlowTree, state: TreeState)

  private nonisolated func trees(
    of roots: [StoredRoot], _ journal: Journal
  ) async -> [(StoredRoot, Result<Restored, RestoringError>)] {
    let stored = await read(roots, journal)
    var result: [(StoredRoot, Result<Restored, RestoringError>)] = []
    for root in roots {
      guard let tree = stored[root.name] else {
        result.append((root, .failure(.incomplete(CoordinatorPath(root: root.name)))))
        continue
      }
      do throws(RestoringError) {
        result.append((root, .success(try await FlowTree.restore(tree, environment: environment(storing: root)))))
      } catch {
        result.append((root, .failure(error)))
      }
    }
    return result
  }

  /// Reads trees, one by one if one of them cannot be read.
  private nonisolated func read(_ roots: [StoredRoot], _ journal: Journal) async -> [String: StoredTree] {
    if let trees = try? await journal.trees(of: roots) { return trees }
    var trees: [String: StoredTree] = [:]
    for root in roots { trees.merge((try? await journal.trees(of: [root])) ?? [:]) { $1 } }
    return trees
  }

  // MARK: What the loop is told

  private func begin(_ stored: StoredRoots) {
    roots.load(stored)
    redeliver(restoration.begin(stored.live))
  }

  private func nextRoots() -> [StoredRoot] { restoration.next(Self.batch) }

  private func hasRestored(_ root: StoredRoot, _ restored: Restored) {
    guard let live = roots.hasRestored(root, restored.tree, restored.state) else { return }
    if let deadline = root.deadline { end(live, at: deadline) }
    if let owner = root.owner { bind(live, to: owner) }
    Task(executorPreference: globalConcurrentExecutor) { await restored.tree.resume() }
    redeliver(restoration.hasEnded(root.name))
  }

  /// Ends a tree with its caller, which may have left while nobody was there to see it.
  private func bind(_ root: LiveRoot, to owner: StoredRoot.Owner) {
    guard owner.bus == busID else { return close(root.name, isTimeout: false) }
    track(owner.name)
    clients[owner.name]?.flows.insert(root.name)
  }

  private func hasNotRestored(_ root: StoredRoot, _ error: RestoringError, _ journal: Journal) async {
    logger.error(
      "a flow cannot be taken up again and has failed",
      metadata: ["coordinator": "\(root.name)", "flow": "\(root.flow)", "reason": "\(error)"])
    do {
      try await journal.fail(root, error.failure, at: WallClock.microseconds())
    } catch {
      logger.warning("that a flow has failed cannot be stored", metadata: ["coordinator": "\(root.name)", "error": "\(error)"])
    }
    roots.hasNotRestored(root, .failed(error.failure))
    redeliver(restoration.hasEnded(root.name))
  }

  private func endRestoration() { redeliver(restoration.end()) }

  private func redeliver(_ calls: [IncomingCall]) {
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
