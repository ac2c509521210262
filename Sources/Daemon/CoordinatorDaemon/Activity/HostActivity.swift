import DBus

/// Follows how much a host has to do: tells the service manager, and detects when the daemon has nothing to do. Used only
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
