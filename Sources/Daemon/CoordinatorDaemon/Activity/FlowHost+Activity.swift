import DBus
import Platform

/// Notifies the service manager, and detects when the daemon is idle.
extension FlowHost {
  /// Called when the number of flows or renderers has changed.
  func activityHasChanged() {
    if serviceManager != nil { tellStatus() }
    if idleTimes != nil { follow(idleWatch.update(hasFlows: mayHaveFlows)) }
  }

  // MARK: The service manager

  /// Notifies the service manager that the daemon is ready, and starts feeding the watchdog.
  func tellReady() {
    guard let serviceManager else { return }
    serviceManager.tell(.ready)
    if let interval = serviceManager.watchdogInterval { keepWatchdog(interval / 2) }
  }

  /// Feeds the watchdog from the loop's heartbeat, which stops when the loop hangs, and does not wait behind calls.
  private func keepWatchdog(_ interval: Duration) {
    connection.loop.beat(every: interval) { [serviceManager] in serviceManager?.tell(.watchdog) }
  }

  private func tellStatus() {
    guard let delay = statusPace.change() else { return }
    guard delay > .zero else { return sendStatus() }
    connection.loop.schedule(after: delay) { [weak self] in self?.assumeIsolated { $0.sendStatus() } }
  }

  private func sendStatus() {
    statusPace.hasTold()
    serviceManager?.tell(.status("\(Self.count(roots.activeCount, "flow")), \(Self.count(clients.rendererCount, "renderer"))"))
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number == 0 ? "no" : "\(number)") \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: Having nothing to do

  /// Whether the daemon can end without leaving a flow or an unanswered call behind.
  var isIdle: Bool {
    restoration.isDone && roots.isEmpty && !connection.assumeIsolated { $0.hasUnansweredCalls }
  }

  /// Applies a changed idle time, which starts now.
  func idleTimeHasChanged() {
    if idleTimes != nil { follow(idleWatch.change(to: configuration.idleExit, hasFlows: mayHaveFlows)) }
  }

  private var mayHaveFlows: Bool { roots.activeCount > 0 || !restoration.isDone }

  private func follow(_ step: IdleWatch.Step) {
    switch step {
    case .nothing: break
    case .wait(let time):
      idleTimer?.cancel()
      idleTimer = connection.loop.schedule(after: time) { [weak self] in
        self?.assumeIsolated { host in host.follow(host.idleWatch.timeIsUp(isIdle: host.isIdle)) }
      }
    case .stopWaiting:
      idleTimer?.cancel()
      idleTimer = nil
    case .isIdle:
      idleTimer = nil
      idleTimes?.tell()
    }
  }

  /// Continues to serve although the service manager was notified that the daemon is stopping. Asks it for more time
  /// again and again, so that it does not kill the daemon.
  func goOn() {
    activityHasChanged()
    askForTime()
  }

  private func askForTime() {
    guard let serviceManager else { return }
    serviceManager.tell(.needsTime(.seconds(60)))
    connection.loop.schedule(after: .seconds(30)) { [weak self] in self?.assumeIsolated { $0.askForTime() } }
  }
}
