import DBus
import Platform

/// Tracks the activity of a host: notifies the service manager, and detects when the daemon is idle. Used only
/// on the host's executor.
final class HostActivity {
  private var watch: IdleWatch
  private var timer: ScheduledTimer?
  /// The times at which the daemon may end because it is idle; nil if it never does.
  private let times: IdleTimes?
  private let status: ServiceStatus
  private let connection: Connection
  private let roots: RootRegistry
  private let clients: ClientWatch
  private let calls: HeldBackCalls
  private let provider: BusProvider
  private let entry: HostEntry

  /// Creates a watch that does not wait yet.
  ///
  /// - Parameters:
  ///   - time: how long the daemon must be idle before it ends; nil if it never ends by itself.
  ///   - host: the services of the host.
  ///   - roots: counts flows.
  ///   - clients: counts renderers.
  ///   - calls: knows whether everything has been restored.
  init(
    idleAfter time: Duration?, of host: HostServices, roots: RootRegistry, clients: ClientWatch, calls: HeldBackCalls
  ) {
    watch = IdleWatch(time: time)
    (times, status, connection, provider, entry) = (host.idleTimes, host.status, host.connection, host.provider, host.entry)
    (self.roots, self.clients, self.calls) = (roots, clients, calls)
  }

  /// Records a call.
  func called() { watch.called() }

  /// Called when the number of flows or renderers has changed.
  func hasChanged() {
    status.update(flows: roots.activeCount, renderers: clients.rendererCount)
    if times != nil { follow(watch.update(hasFlows: mayHaveFlows)) }
  }

  /// Continues to serve although the service manager was notified that the daemon is stopping.
  func goOn() {
    hasChanged()
    status.keepAskingForTime()
  }

  /// Changes the idle time, which starts now.
  func change(to time: Duration?) {
    if times != nil { follow(watch.change(to: time, hasFlows: mayHaveFlows)) }
  }

  /// Whether the daemon can end without leaving a flow or an unanswered call behind.
  var isIdle: Bool { calls.isDone && roots.isEmpty && !connection.assumeIsolated { $0.hasUnansweredCalls } }

  /// Flows that a connection serves exist only while the daemon runs, so it stays.
  private var mayHaveFlows: Bool {
    roots.activeCount > 0 || !calls.isDone || provider.withTable { $0.hasUnfiled }
  }

  private func timeIsUp() { follow(watch.timeIsUp(isIdle: isIdle)) }

  private func follow(_ step: IdleWatch.Step) {
    switch step {
    case .nothing: break
    case .wait(let time):
      timer?.cancel()
      timer = connection.loop.schedule(after: time) { [entry] in entry.enter { $0.activity.timeIsUp() } }
    case .stopWaiting:
      timer?.cancel()
      timer = nil
    case .isIdle:
      timer = nil
      times?.tell()
    }
  }
}

/// The times at which a daemon has been idle for the configured time.
struct IdleTimes: Sendable {
  let times: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (times, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// Yields to ``times``, because the daemon is idle.
  func tell() { continuation.yield() }
}

/// Decides when a daemon has been idle for long enough to end.
///
/// A value that makes decisions: its owner has one timer, and sets it according to the returned steps.
struct IdleWatch: Sendable {
  /// The action to take on the timer.
  enum Step: Sendable, Hashable {
    case nothing
    /// Set the timer to fire after this time.
    case wait(Duration)
    case stopWaiting
    /// The daemon has been idle for the whole time.
    case isIdle
  }

  /// How long the daemon must be idle before it ends; nil if it never ends by itself.
  private(set) var time: Duration?
  /// The number of calls when the timer was set; nil while it is not set.
  private var callsBefore: UInt64?
  private var calls: UInt64 = 0

  /// Creates a watch whose timer is not set.
  ///
  /// - Parameter time: how long the daemon must be idle before it ends; nil if it never ends by itself.
  init(time: Duration?) { self.time = time }

  /// Records a call.
  mutating func called() { calls &+= 1 }

  /// Records whether there are flows from now on.
  ///
  /// - Parameter hasFlows: whether there are flows, or may be.
  /// - Returns: the action to take on the timer.
  mutating func update(hasFlows: Bool) -> Step {
    guard hasFlows else { return callsBefore == nil ? begin() : .nothing }
    return callsBefore.take() == nil ? .nothing : .stopWaiting
  }

  /// Changes the idle time, which starts now.
  ///
  /// - Parameters:
  ///   - time: how long the daemon must be idle before it ends; nil if it never ends by itself.
  ///   - hasFlows: whether there are flows, or may be.
  /// - Returns: the action to take on the timer.
  mutating func change(to time: Duration?, hasFlows: Bool) -> Step {
    self.time = time
    let wasWaiting = callsBefore.take() != nil
    let step = update(hasFlows: hasFlows)
    return step == .nothing && wasWaiting ? .stopWaiting : step
  }

  /// Records that the timer has fired.
  ///
  /// - Parameter isIdle: whether the daemon is idle now.
  /// - Returns: the action to take on the timer, or that the daemon may end.
  mutating func timeIsUp(isIdle: Bool) -> Step {
    guard let before = callsBefore.take() else { return .nothing }
    return isIdle && before == calls ? .isIdle : begin()
  }

  private mutating func begin() -> Step {
    guard let time else { return .nothing }
    callsBefore = calls
    return .wait(time)
  }
}

/// Notifies the service manager when the daemon is ready, that it is alive, what it serves, and when it needs more time. Does
/// nothing without a service manager. May be used from any thread.
final class ServiceStatus: Sendable {
  private struct State: Sendable {
    var pace = StatusPace()
    var flows = 0
    var renderers = 0

    /// The status in one line, such as "1 flow, no renderers".
    var line: String { "\(Self.count(flows, "flow")), \(Self.count(renderers, "renderer"))" }

    private static func count(_ number: Int, _ noun: String) -> String {
      "\(number == 0 ? "no" : "\(number)") \(noun)\(number == 1 ? "" : "s")"
    }
  }

  private let manager: ServiceManager?
  private let loop: EventLoop
  private let state = Lock(State())

  /// Creates a status.
  ///
  /// - Parameters:
  ///   - manager: the service manager; nil for none.
  ///   - loop: the loop whose heartbeat feeds the watchdog, and whose timers delay notifications.
  init(manager: ServiceManager?, loop: EventLoop) {
    self.manager = manager
    self.loop = loop
  }

  /// Notifies the service manager that the daemon is ready, and starts feeding the watchdog from the loop's heartbeat,
  /// which stops when the loop hangs, and does not wait behind calls.
  func tellReady() {
    guard let manager else { return }
    manager.tell(.ready)
    guard let interval = manager.watchdogInterval else { return }
    loop.beat(every: interval / 2) { manager.tell(.watchdog) }
  }

  /// Sets the numbers of flows and renderers. The service manager is notified at the pace of ``StatusPace``.
  func update(flows: Int, renderers: Int) {
    guard manager != nil else { return }
    let delay = state.withLock { state in
      (state.flows, state.renderers) = (flows, renderers)
      return state.pace.change()
    }
    guard let delay else { return }
    guard delay > .zero else { return tell() }
    loop.schedule(after: delay) { [weak self] in self?.tell() }
  }

  private func tell() {
    let line = state.withLock { state in
      state.pace.hasTold()
      return state.line
    }
    manager?.tell(.status(line))
  }

  /// Asks the service manager for more time, again and again, so that it does not kill a daemon that has announced its
  /// end but must continue.
  func keepAskingForTime() {
    guard let manager else { return }
    manager.tell(.needsTime(.seconds(60)))
    loop.schedule(after: .seconds(30)) { [weak self] in self?.keepAskingForTime() }
  }
}

/// Decides when to notify the service manager of a change: immediately, but at most once a second.
struct StatusPace: Sendable {
  static let shortest = Duration.seconds(1)

  private var last: ContinuousClock.Instant?
  private var isWaiting = false

  /// Records a change.
  ///
  /// - Parameter now: the current time.
  /// - Returns: how long to wait before notifying the service manager; nil if a notification is already pending.
  mutating func change(at now: @autoclosure () -> ContinuousClock.Instant = .now) -> Duration? {
    guard !isWaiting else { return nil }
    isWaiting = true
    return last.map { max(.zero, Self.shortest - $0.duration(to: now())) } ?? .zero
  }

  /// Records that the service manager was notified.
  mutating func hasTold(at now: ContinuousClock.Instant = .now) { (last, isWaiting) = (now, false) }
}
