/// A periodic action of a loop that shows that it is not stuck.
struct Heartbeat: Sendable {
  /// A wrapper type, for the same reason as in ``ScheduledTimer``.
  struct Body: Sendable {
    let run: @Sendable () -> Void
  }

  let interval: UInt64
  private(set) var due: UInt64
  private let body: Body

  init(interval: UInt64, due: UInt64, body: Body) {
    self.interval = interval
    self.due = due
    self.body = body
  }

  /// Returns the action if it is due, and schedules the next one after another interval.
  mutating func take(at now: UInt64) -> (@Sendable () -> Void)? {
    guard now >= due else { return nil }
    due = now + interval
    return body.run
  }
}
