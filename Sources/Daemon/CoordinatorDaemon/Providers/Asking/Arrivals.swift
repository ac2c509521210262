import DBus
import Platform

/// Those who wait for a flow to be served. May be used from any thread.
final class Arrivals: Sendable {
  private let waiting = Lock<[String: [TimedWaits.Ticket]]>([:])
  private let waits: TimedWaits

  init(waits: TimedWaits) { self.waits = waits }

  /// Waits until something about a flow has changed. Look before and after: another may have been quicker.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - end: when to give up; nil for never.
  ///   - isThere: looks whether there is a need to wait, once a change would be noticed.
  /// - Returns: false if the time was up, or the task was cancelled.
  func wait(for flow: String, until end: ContinuousClock.Instant?, unless isThere: () -> Bool) async -> Bool {
    let ticket = waits.reserve()
    waiting.withLock { $0[flow, default: []].append(ticket) }
    if isThere() { waits.resume(ticket) }
    let isResumed = await waits.wait(for: ticket, until: end)
    waiting.withLock { waiting in
      waiting[flow]?.removeAll { $0 == ticket }
      if waiting[flow]?.isEmpty == true { waiting[flow] = nil }
    }
    return isResumed
  }

  /// Resumes those who wait for flows.
  func arrived(_ flows: some Sequence<String>) {
    for ticket in waiting.withLock({ waiting in flows.flatMap { waiting[$0] ?? [] } }) { waits.resume(ticket) }
  }
}
