import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Handles the calls that concern held trees: restoring them is tried again, and they end only if a client dismisses them
/// (rule 10). Used only on the host's executor.
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
  ///   - activity: follows the number of flows and renderers.
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
    guard case .dismiss(root.path, _) = request.call, let journal = environments.journal else {
      return call.fail(.held(root.reason))
    }
    guard let root = roots.beginEnd(ofHeld: root.name) else { return roots.wait(call, forHeld: root.name) }
    Task(executorPreference: globalConcurrentExecutor) { [clock, entry] in
      do {
        let end = try HeldDismissal(of: root, request, by: call.caller, at: clock.now)
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
