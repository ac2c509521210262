import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Handles the calls that concern held trees: retries restoring them, and ends them only if a client dismisses them (rule 10).
/// Used only on the host's executor.
final class HeldTrees {
  private var retries = RetryLine<IncomingCall>()
  private let roots: RootRegistry
  private let heldBack: HeldBackCalls
  private let access: AccessPolicy
  private let attachments: Attachments
  private let activity: HostActivity
  private let environments: TreeEnvironments
  private let clock: MachineClock
  private let bus: BusSender
  private let log: FlowLog
  private let entry: HostEntry

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - roots: keeps the held trees.
  ///   - heldBack: delivers calls again.
  ///   - access: decides which clients may receive a tree's signals.
  ///   - attachments: releases the renderers of trees that have ended.
  ///   - activity: tracks the number of flows and renderers.
  init(
    of host: HostServices, roots: RootRegistry, heldBack: HeldBackCalls, access: AccessPolicy, attachments: Attachments,
    activity: HostActivity
  ) {
    (environments, clock, bus, log, entry) = (host.environments, host.clock, host.bus, host.log, host.entry)
    (self.roots, self.heldBack, self.access) = (roots, heldBack, access)
    (self.attachments, self.activity) = (attachments, activity)
  }

  /// Handles `RetryHeld`.
  func retry(_ call: IncomingCall) {
    guard retries.add(call), let host = entry.host else { return }
    Task(executorPreference: globalConcurrentExecutor) {
      while case let calls = await host.run({ $0.heldTrees.nextRetries() }), !calls.isEmpty {
        let count = await HostRestorer(host: host).retry()
        await host.run { $0.heldTrees.answer(calls, count) }
      }
    }
  }

  private func nextRetries() -> [IncomingCall] { retries.next() }

  private func answer(_ calls: [IncomingCall], _ count: Int) {
    let left = roots.held.count + roots.live.values.reduce(0) { $0 + $1.state.holds.count }
    for call in calls { call.reply([.uint32(UInt32(clamping: count)), .uint32(UInt32(clamping: left))]) }
  }

  /// Ends a held tree if the call dismisses its root: stores and announces the end, and answers the call. Refuses all
  /// other calls.
  func post(_ call: IncomingCall, _ request: TreeRequest, to root: HeldRoot) {
    guard case .dismiss(root.path, _, _) = request.call, let journal = environments.journal else {
      return call.fail(.held(root.reason))
    }
    guard let root = roots.beginEnd(ofHeld: root.name) else { return roots.wait(call, forHeld: root.name) }
    let caller = call.caller(request.way, among: root.clients)
    Task(executorPreference: globalConcurrentExecutor) { [clock, entry] in
      do {
        let end = try HeldDismissal(of: root, request, by: caller, at: clock.now)
        try await journal.end(end.root, end.change)
        await entry.host?.run { $0.heldTrees.hasEnded(root.name, end.requests, call) }
      } catch {
        let error = CallError.notStored(String(describing: error)).dbusError
        await entry.host?.run { $0.heldTrees.hasNotEnded(root.name, error, call) }
      }
    }
  }

  private func hasNotEnded(_ name: String, _ error: DBusError, _ call: IncomingCall) {
    call.fail(error)
    heldBack.deliver(roots.heldHasNotEnded(name))
  }

  private func hasEnded(_ name: String, _ requests: RequestLedger, _ call: IncomingCall) {
    guard let root = roots.heldHasEnded(name, requests) else { return }
    attachments.release(name, owner: root.owner?.name, root.clients)
    activity.hasChanged()
    bus.send(Announcement.end(ofHeld: root), to: access.hearers(of: root.flow, root.clients.renderers))
    for waiter in root.clients.waiters { waiter.answer(endOf: root.path, ToldOutcome(outcome: .cancelled)) }
    call.reply([.uint64(root.revision)])
    log.logDismissed(root)
    heldBack.deliver(root.waitingCalls)
  }
}

/// The queue of calls that request another attempt to restore held trees.
///
/// Calls that arrive during an attempt are answered by the next one, because the conditions that they expect may have arisen
/// after the current one began.
struct RetryLine<Call: Sendable>: Sendable {
  private var waiting: [Call] = []
  private var isRunning = false

  /// Enqueues a call.
  ///
  /// - Returns: whether the caller must start an attempt.
  mutating func add(_ call: Call) -> Bool {
    waiting.append(call)
    defer { isRunning = true }
    return !isRunning
  }

  /// Dequeues the calls that the next attempt answers; none if no further attempt is needed.
  mutating func next() -> [Call] {
    defer { waiting = [] }
    isRunning = !waiting.isEmpty
    return waiting
  }
}

/// The requested end of a held tree: the change to store, and the answers to remember.
struct HeldDismissal: Sendable {
  /// The data of the root, to store with its end.
  let root: StoredRoot
  /// The change to store.
  let change: StoredChange
  /// The answers to remember once it is stored.
  let requests: RequestLedger

  /// Computes the end of a held tree.
  ///
  /// - Parameters:
  ///   - held: the held root.
  ///   - request: the request that dismisses it.
  ///   - caller: the caller.
  ///   - time: the time, in microseconds since 1970.
  /// - Throws: `EncodingError` if the answer cannot be stored under the request key.
  init(of held: HeldRoot, _ request: TreeRequest, by caller: Caller, at time: UInt64) throws {
    var requests = held.requests
    var stored: StoredRequest?
    if let key = request.key {
      let entry = try requests.keep(.revision(held.revision), to: request.call, key: key)
      stored = StoredRequest(key: key, number: 1, entry: entry)
    }
    root = held.asStored
    change = StoredChange(
      dismissing: held.outline, flow: held.flow, request: stored, by: caller, isForced: request.isForced, at: time)
    self.requests = requests
  }
}

/// Restores the stored trees of a host, and retries held ones. Runs concurrently with the event loop.
struct HostRestorer: Sendable {
  let host: FlowHost

  /// Restores all trees after a restart.
  ///
  /// - Parameter journal: the journal to restore from, which also stores all transitions from now on.
  /// - Throws: `JournalError` if the roots cannot be read. The host must not serve then, because it would store new trees
  ///   beside them.
  func restore(from journal: Journal) async throws(JournalError) {
    let (services, start) = (host.services, ContinuousClock.now)
    let clock = services.clock
    let stored = try await journal.roots()
    if !clock.isBootKnown {
      services.logger.warning(
        "/proc/sys/kernel/random/boot_id cannot be read: after a restart of the daemon, timeouts and timers go on by the wall clock"
      )
    }
    let machine = clock.isBootKnown ? await journal.startOfMachine(now: clock.moment) : MachineStart(clock.moment)
    services.environments.use(journal, since: machine)
    let first = await host.run { $0.restored.begin(stored) }
    await restorer(of: journal).run(first) { await take($0).next }
    // If the daemon is ending, waiting calls must not be answered as if their flows did not exist.
    guard !Task.isCancelled else { return }
    let held = await host.run { parts in
      parts.restored.end()
      return parts.roots.held.count
    }
    services.log.logRestored(stored, held: held, in: start.duration(to: .now))
  }

  /// Retries restoring the held trees, and the events of the held coordinators of live trees.
  ///
  /// - Returns: the number of trees that were restored, and of coordinators that are no longer held.
  func retry() async -> Int {
    let roots = await host.run { $0.roots.held.retryable }
    return await retry(roots) + retryCoordinators()
  }

  private func retry(_ roots: [StoredRoot]) async -> Int {
    guard let restorer = host.services.environments.journal.map(restorer(of:)) else { return 0 }
    var (count, left) = (0, roots[...])
    while !left.isEmpty {
      let batch = Array(left.prefix(TreeRestorer.batch))
      left = left.dropFirst(TreeRestorer.batch)
      count += await take(restorer.takeUp(batch, restorer.readings(of: batch))).takenUp
    }
    return count
  }

  private func retryCoordinators() async -> Int {
    let roots = await host.run { $0.roots.liveInOrder.filter { !$0.state.holds.isEmpty } }
    var count = 0
    for root in roots {
      await withCheckedContinuation { done in root.tree.retryHeld { _ in done.resume() } }
      // An event that cannot be handled holds its coordinator again before it is answered.
      let still = await host.run { $0.roots.live[root.name]?.state.holds ?? [] }
      count += root.state.holds.filter { !still.contains($0) }.count
    }
    return count
  }

  private func take(_ results: [RestoringAttempt.Entry]) async -> (takenUp: Int, next: [StoredRoot]) {
    await host.run { $0.restored.take(results) }
  }

  private func restorer(of journal: Journal) -> TreeRestorer {
    TreeRestorer(
      trees: { roots throws(JournalError) in try await journal.trees(of: roots) },
      environment: { [host] in host.services.environments.restoring($0, for: host) },
      watch: watch)
  }

  /// The time limit for restoring a tree is that of a handler.
  private var watch: TreeRestorer.Watch {
    let deadline = host.services.handlers.deadline
    return TreeRestorer.Watch(deadline: deadline) { [loop = host.services.connection.loop] body in
      let timer = loop.schedule(after: deadline, body)
      return { timer.cancel() }
    }
  }
}
