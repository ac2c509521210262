import Platform

/// Waits for providers.
extension FlowTree {
  /// Waits until the provider of a coordinator has decided. The handler watch does not count that time. Events that end the
  /// tree, or only record a result, do not wait (P13, P17).
  ///
  /// - Returns: the attempts to ask so far; nil if the tree has ended, so that the answer is no longer needed.
  func prepare(
    _ coordinator: any RunningCoordinator, _ handler: HandlerCall, _ path: CoordinatorPath, _ transition: Transition,
    after history: AskingHistory, within time: Duration
  ) async -> AskingHistory? {
    let wait = ProviderWait()
    for posted in queue.beginWaiting(wait, root: root) { posted.whenWaiting?() }
    let asking = Task(executorPreference: environment.executor) {
      defer { wait.end() }
      return await coordinator.prepare(handler, of: path, in: transition, after: history, within: time)
    }
    while true {
      while let posted = queue.takeOvertaking() {
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
    queue.endWaiting()
    return await asking.value
  }
}

extension FlowTree {
  /// Stores the end of a piece of work that another process performs. The coordinator receives it in a separate event. Ignored
  /// if the work is unknown or has already ended.
  ///
  /// - Parameters:
  ///   - work: the id of the work.
  ///   - instance: the coordinator that ordered the work.
  ///   - end: how the work ended.
  ///   - reply: called once from any thread, when the result is stored. The reply does not wait for providers.
  package nonisolated func end(
    work: String, of instance: FlowInstance, _ end: ProvidedWork.End, reply: @escaping Reply = { _ in }
  ) {
    post(Posted(.workResult(instance, work: work, .ended(end)), reply))
  }

  /// The state that a program has stored for a coordinator; nil if its flow is built in, or the coordinator does not exist.
  package func providedState(of path: CoordinatorPath) -> String? { state.coordinators[path]?.providedState }

  /// Returns the attempts to perform a piece of work; nil if no other process performs it.
  func attempts(of order: WorkOrder) -> WorkAttempts? {
    guard let work = order.record.work as? ProvidedWork, let record = state.coordinators[order.coordinator] else { return nil }
    let instance = FlowInstance(flow: record.flow, path: record.path, startedAt: record.startedAt)
    return WorkAttempts(begun: order.isRepeated ? order.record.attempts : 0) { [weak self] attempt in
      // A stream rather than a continuation: an abandoned tree never answers, and cancelling the task then ends the stream.
      let (answers, continuation) = AsyncStream.makeStream(of: Bool.self)
      let reply: Reply = { result in
        continuation.yield((try? result.get()) != nil)
        continuation.finish()
      }
      self?.post(Posted(.workResult(instance, work: work.id, .begins(attempt: attempt)), reply))
      for await isStored in answers { return isStored }
      return false
    }
  }
}

/// The wait of a tree for a provider: it ends when an answer arrives, and is interrupted by events that do not wait. May be
/// used from any thread.
final class ProviderWait: Sendable {
  private struct State: Sendable {
    var hasAnswer = false
    var hasNews = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// Whether the provider has answered.
  var hasAnswer: Bool { state.withLock { $0.hasAnswer } }

  /// Ends the wait.
  func end() { wake { $0.hasAnswer = true } }

  /// Wakes the tree, which then looks for an event that does not wait.
  func look() { wake { _ in } }

  /// Waits until there is an answer, or the tree is woken.
  func news() async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        defer { state.hasNews = false }
        if state.hasNews { return true }
        state.waiting = continuation
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      if state.waiting == nil { state.hasNews = true }
      return state.waiting.take()
    }
    waiting?.resume()
  }
}

/// Lets newer versions of providers take over the state that older ones have stored (P15).
extension FlowTree {
  /// Whether flows have been served again since the tree was last compared with them.
  var hasUnknownFlows: Bool { environment.catalogue.provided.map { $0.generation != knownFlows } ?? false }

  /// Handles an event after the coordinators that it needs have been migrated.
  func migrateAndTransact(_ posted: Posted) async {
    var patience = ProviderPatience(environment.limits.maxProviderTime)
    await migrate(for: posted, &patience)
    if !isKeptBack(posted) { await transact(posted, &patience) }
  }

  /// Migrates the coordinators whose flow is served in a newer version than the one that decided last, each in a separate
  /// transition. Holds a coordinator whose flow is served in an older version.
  ///
  /// - Parameters:
  ///   - posted: the event that waits for the migration.
  ///   - patience: how long the event may wait.
  func migrate(for posted: Posted, _ patience: inout ProviderPatience) async {
    guard let flows = environment.catalogue.provided, case let generation = flows.generation, generation != knownFlows else {
      return
    }
    for outdated in state.coordinatorsInOrder {
      guard state.isAlive, !isAbandoned, let server = flows.server(of: outdated.flow),
        let own = version(of: outdated.path, for: server)
      else { continue }
      let migration = Posted(.migration(outdated.path, from: own), whenWaiting: posted.whenWaiting)
      if server.version > own {
        await transact(migration, &patience)
      } else {
        let reason =
          "the flow \(outdated.flow) waits for version \(own) or newer, and is served in version \(server.version)"
        let instance = FlowInstance(flow: outdated.flow, path: outdated.path, startedAt: outdated.startedAt)
        await hold(outdated.path, because: .refusal(reason, AskingHistory(of: instance, by: server)), migration)
      }
    }
    let isDone = state.coordinatorsInOrder.allSatisfy { record in
      flows.server(of: record.flow).map { version(of: record.path, for: $0) == nil } ?? true
    }
    // Otherwise, a migration could not be stored.
    if isDone { hasComparedFlows(of: generation) }
  }

  /// Returns the version of the provider that stored a coordinator, if it differs from that of the present provider.
  private func version(of path: CoordinatorPath, for server: ServingProgram) -> UInt32? {
    guard let record = state.coordinators[path], record.hold == nil, let own = record.state as? ProvidedCoordinator.State,
      own.turn > 0, server.name == own.server, server.version != own.version
    else { return nil }
    return own.version
  }
}

/// The time for which one event waits for providers, and the number of questions about it.
struct ProviderPatience: Sendable {
  private static let maxQuestions = 64

  private let time: Duration
  private var count = 0
  private var begun: ContinuousClock.Instant?

  /// Creates the patience of an event about which no provider has been asked.
  ///
  /// - Parameter time: the total time for which the event waits.
  init(_ time: Duration) { self.time = time }

  /// Counts another question.
  ///
  /// - Returns: the maximum time for its answer; nil if the question must not be asked.
  mutating func timeForAnother(at now: ContinuousClock.Instant) -> Duration? {
    count += 1
    let begun = begun ?? now
    self.begun = begun
    let left = time - begun.duration(to: now)
    return count <= Self.maxQuestions && left > .zero ? left : nil
  }
}
