/// Decides when the service manager is told of a change: at once, but at most once a second.
struct StatusPace: Sendable {
  static let shortest = Duration.seconds(1)

  private var last: ContinuousClock.Instant?
  private var isWaiting = false

  /// Something has changed.
  ///
  /// - Parameter now: the time.
  /// - Returns: how long to wait before it is told; nil if it is about to be told anyway.
  mutating func change(at now: @autoclosure () -> ContinuousClock.Instant = .now) -> Duration? {
    guard !isWaiting else { return nil }
    isWaiting = true
    return last.map { max(.zero, Self.shortest - $0.duration(to: now())) } ?? .zero
  }

  /// It has been told.
  mutating func hasTold(at now: ContinuousClock.Instant = .now) { (last, isWaiting) = (now, false) }
}
