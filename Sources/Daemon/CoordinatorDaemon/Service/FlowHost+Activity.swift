import DBus
import ServiceManager

/// What the service manager is told, and when there is nothing left to do.
extension FlowHost {
  /// How many flows there are, or how many renderers, is not what it was.
  func activityHasChanged() {
    if serviceManager != nil { tellStatus() }
    if idleTimes != nil { watchIdleness() }
  }

  // MARK: The service manager

  /// Tells that the daemon serves, and from then on that it has not hung.
  func tellReady() {
    guard let serviceManager else { return }
    serviceManager.tell(.ready)
    if let interval = serviceManager.watchdogInterval { keepWatchdog(interval / 2) }
  }

  /// The heart of the loop, which is still when the loop hangs, and does not wait behind calls.
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
    serviceManager?.tell(.status("\(Self.count(roots.activeCount, "flow")), \(Self.count(rendererCount, "renderer"))"))
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number == 0 ? "no" : "\(number)") \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: Having nothing to do

  /// Whether nothing would be missed if the daemon ended.
  var isIdle: Bool {
    restoration.isDone && roots.isEmpty && !connection.assumeIsolated { $0.hasUnansweredCalls }
  }

  /// Waits for as long as the configuration says from now on.
  func idleTimeHasChanged() {
    idleTimer?.cancel()
    idleTimer = nil
    if idleTimes != nil { watchIdleness() }
  }

  /// Begins to wait when the last flow has ended, and stops when there is one.
  private func watchIdleness() {
    if roots.activeCount == 0, restoration.isDone {
      if idleTimer == nil { waitUntilIdle() }
    } else {
      idleTimer?.cancel()
      idleTimer = nil
    }
  }

  private func waitUntilIdle() {
    guard let time = configuration.idleExit else { return }
    let before = calls
    idleTimer = connection.loop.schedule(after: time) { [weak self] in
      self?.assumeIsolated { host in
        guard host.isIdle, host.calls == before else { return host.waitUntilIdle() }
        host.idleTimer = nil
        host.idleTimes?.tell()
      }
    }
  }

  /// Goes on after all, although the service manager was told that the daemon is about to end: it must not lose patience.
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
