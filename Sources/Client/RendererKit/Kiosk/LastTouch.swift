/// The time of the last input at a device that stamps inputs by the wall clock, such as a terminal.
///
/// The wall clock is trusted only within the time since the last look, which is measured by a clock that cannot be set. Setting
/// the wall clock therefore never makes a user count as away.
package struct LastTouch: Sendable {
  /// Whether there was any input since the first look.
  package private(set) var isTouched = false
  private var stamp: Double?
  private var touch: ContinuousClock.Instant
  private var look: ContinuousClock.Instant

  /// Looks for the first time.
  ///
  /// - Parameters:
  ///   - stamp: stamp of the last input, in seconds since 1970; nil if it cannot be read.
  ///   - now: current time.
  package init(stamp: Double?, at now: ContinuousClock.Instant) { (self.stamp, touch, look) = (stamp, now, now) }

  /// Looks again.
  ///
  /// - Parameters:
  ///   - stamp: stamp of the last input, in seconds since 1970; nil if it cannot be read.
  ///   - wall: current time by the wall clock, in seconds since 1970.
  ///   - now: current time.
  /// - Returns: the time without input, at most the time since the first look.
  package mutating func idleTime(stamp: Double?, wall: Double, at now: ContinuousClock.Instant) -> Duration {
    if let stamp, stamp != self.stamp {
      (self.stamp, isTouched) = (stamp, true)
      touch = now - min(max(.seconds(wall - stamp), .zero), look.duration(to: now))
    }
    look = now
    return touch.duration(to: now)
  }
}
