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
