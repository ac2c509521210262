/// What a loop does at regular times, to show that it is not stuck.
struct Heartbeat: Sendable {
  /// In a type of its own, for the reason that ``ScheduledTimer`` has one.
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

  /// What to run now, if it is time; then it is due again after another interval.
  mutating func take(at now: UInt64) -> (@Sendable () -> Void)? {
    guard now >= due else { return nil }
    due = now + interval
    return body.run
  }
}
