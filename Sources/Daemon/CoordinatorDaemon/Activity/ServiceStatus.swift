import DBus
import Platform

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
