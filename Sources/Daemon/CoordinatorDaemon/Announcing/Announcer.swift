import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Adopts stored transitions, and announces them on the bus. Used only on the host's executor.
final class Announcer {
  private let roots: RootRegistry
  private let access: AccessPolicy
  private let clients: ClientWatch
  private let attachments: Attachments
  private let starts: FlowStarts
  private let deadlines: Deadlines
  private let activity: HostActivity
  private let ending: HostEnding
  private let bus: BusSender
  private let provider: BusProvider
  private let providedFlows: ProvidedFlows
  private let progress: ProgressCollector
  private let log: FlowLog

  /// Creates an announcer.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - roots: keeps the last published states.
  ///   - access: decides which clients may receive a tree's signals.
  ///   - clients: watches callers.
  ///   - attachments: releases the renderers of flows that have ended.
  ///   - starts: answers the calls that wait for a start.
  ///   - deadlines: keeps the deadlines of flows.
  ///   - activity: tracks the number of flows and renderers.
  ///   - ending: resumes the continuations that wait for the end of all flows.
  init(
    of host: HostServices, roots: RootRegistry, access: AccessPolicy, clients: ClientWatch, attachments: Attachments,
    starts: FlowStarts, deadlines: Deadlines, activity: HostActivity, ending: HostEnding
  ) {
    (bus, provider, providedFlows) = (host.bus, host.provider, host.providedFlows)
    (progress, log) = (host.progress, host.log)
    (self.roots, self.access, self.clients, self.attachments) = (roots, access, clients, attachments)
    (self.starts, self.deadlines, self.activity, self.ending) = (starts, deadlines, activity, ending)
  }

  /// Adopts a stored transition, and announces it.
  func publish(_ publication: Publication) {
    let name = String(publication.state.root.root)
    let before = roots.live[name]?.state
    // A tree that was abandoned in the meantime is unknown, and its end has been announced.
    guard publication.isStart ? starts.hasStarted(publication) : roots.hasChanged(publication) else { return }
    let renderers = roots.live[name]?.clients.renderers ?? [:]
    // Must precede the signals, so that a client that receives a signal of the end finds no object.
    let outcome = publication.state.outcomes[publication.state.root].map {
      ToldOutcome(outcome: $0, wasStopped: ending.isEndingAll)
    }
    let ended = outcome.flatMap { roots.hasEnded(name, $0) }
    let flow = roots.live[name]?.request.flow ?? ended?.request.flow
    let announcement = Announcement(publication, before: before, flow: flow, renderers: renderers)
    let hearers = access.hearers(of: flow, renderers)
    bus.send(announcement.beginning, to: hearers)
    bus.sendUntilOneFails(announcement.screens, to: hearers)
    if let ended { attachments.release(name, owner: ended.request.sender, ended.clients) }
    if publication.isStart || ended != nil { activity.hasChanged() }
    bus.send(announcement.ending, to: hearers)
    if let ended, let outcome { answerEnded(ended, outcome) }
    if publication.isStart { starts.answerStarted(name) }
    provider.tell(of: publication.ended, before: before)
    if providedFlows.isUsed {
      provider.note(publication.state, at: publication.touched.union(publication.ended.lazy.map(\.path)))
    }
    log.log(publication, of: flow, before: before)
  }

  /// Records a transition that changed nothing visible.
  func note(_ publication: Publication) { _ = roots.update(String(publication.state.root.root)) { $0.note(publication) } }

  /// Adopts live values of work, and announces them.
  func publish(live: [Publication.Updated], of state: TreeState) {
    let before = roots.live[String(state.root.root)]?.holds ?? [:]
    guard roots.hasShown(live, of: state) else { return }
    let router = state.root.routerPath
    let hearers = access.hearers(of: String(state.root.root))
    for updated in live {
      let changed = updated.screen.vardict(only: updated.keys)
      let removed = updated.keys.map(\.rawValue).filter { changed[$0] == nil }.sorted()
      bus.send([.ofRouter(router, .live(screen: updated.screen.id.number, changed: changed, removed: removed))], to: hearers)
    }
    let holds = roots.live[String(state.root.root)]?.holds ?? [:]
    let changed = Set(before.keys).union(holds.keys).filter { before[$0] != holds[$0] && state.coordinators[$0] != nil }
    for path in changed.sorted(by: { $0.text < $1.text }) {
      bus.send([.changed("Held", interface: Contract.coordinatorInterface, path.objectPath)], to: hearers)
      if let reason = state.hold(of: path) { log.logHeld(path, reason: reason) }
    }
  }

  private func answerEnded(_ root: LiveRoot, _ outcome: ToldOutcome) {
    if root.request.timeout != nil { deadlines.remove(.timeout(root.name)) }
    deadlines.remove(.timer(root.name))
    progress.forget(root.state.root)
    root.clients.waiters.answer(endOf: root, outcome)
    log.logFailure(outcome.outcome, of: root)
    for sender in Set(root.clients.waiters.map(\.call.sender)) { clients.untrackIfIdle(sender) }
    if roots.live.isEmpty { ending.resumeWaiters() }
  }

  // MARK: Progress

  /// Announces the collected progress of a tree; see ``ProgressCollector``.
  func tellProgress(of root: CoordinatorPath) {
    guard let shown = roots.show(progress.take(of: root), of: root) else { return progress.forget(root) }
    let router = root.routerPath
    let hearers = access.hearers(of: String(root.root))
    for (screen, progress) in shown {
      bus.send([.ofRouter(router, .progress(screen: screen.number, progress: progress))], to: hearers)
    }
  }
}

/// Collects progress from any thread at any rate, and releases the latest progress of each screen at most ten times a
/// second for each tree.
final class ProgressCollector: Sendable {
  static let interval = Duration.milliseconds(100)

  private struct Pending {
    var latest: [ScreenID: Progress] = [:]
    var lastSent: ContinuousClock.Instant?
    var isScheduled = false
  }
  private let pending = Lock<[CoordinatorPath: Pending]>([:])

  /// Stores the progress of the work on a screen.
  ///
  /// - Returns: how long to wait before calling ``take(of:)``; nil if such a call is already scheduled.
  func note(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) -> Duration? {
    pending.withLock { pending in
      var entry = pending[root] ?? Pending()
      defer { pending[root] = entry }
      entry.latest[screen] = progress
      guard !entry.isScheduled else { return nil }
      entry.isScheduled = true
      guard let lastSent = entry.lastSent else { return .zero }
      return max(.zero, Self.interval - lastSent.duration(to: .now))
    }
  }

  /// Removes and returns the progress to announce now, by screen.
  func take(of root: CoordinatorPath) -> [ScreenID: Progress] {
    pending.withLock { pending in
      guard var entry = pending[root] else { return [:] }
      defer { pending[root] = entry }
      entry.isScheduled = false
      entry.lastSent = .now
      defer { entry.latest = [:] }
      return entry.latest
    }
  }

  /// Removes a tree that has ended.
  func forget(_ root: CoordinatorPath) { pending.withLock { $0[root] = nil } }
}
