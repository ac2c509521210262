/// When somebody last did something at a device whose inputs are stamped by the wall clock, such as a terminal.
///
/// What the wall clock says is believed within the time since the last look, which the clock measures that nobody can set.
/// So nobody counts as away because somebody has set the wall clock.
package struct LastTouch: Sendable {
  /// Whether something was done since the first look.
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
  /// - Returns: how long nothing was done, at most since the first look.
  package mutating func idleTime(stamp: Double?, wall: Double, at now: ContinuousClock.Instant) -> Duration {
    if let stamp, stamp != self.stamp {
      (self.stamp, isTouched) = (stamp, true)
      touch = now - min(max(.seconds(wall - stamp), .zero), look.duration(to: now))
    }
    look = now
    return touch.duration(to: now)
  }
}
