/// The behavior of a renderer in a public place, such as a kiosk or a machine during setup: it shows one flow, and starts it
/// again for the next person.
public struct KioskPolicy: Sendable, Hashable {
  /// Whether users can leave only by the ways that the flow itself offers.
  public var isLocked: Bool
  /// The time for which the end of a flow is shown before the flow starts again; nil if it does not start automatically.
  public var restartTime: Duration?
  /// The time without input after which the flow is cancelled and starts again; nil for no limit.
  public var idleTime: Duration?

  /// The policy of a renderer that is not in a public place.
  public static let none = KioskPolicy(isLocked: false, restartTime: nil, idleTime: nil)

  /// The default time for which the end is shown if users cannot leave.
  public static let usualRestartTime = Duration.seconds(30)
  /// The maximum time for which users are warned before the flow is cancelled.
  private static let longestWarning = Duration.seconds(30)

  /// Creates a policy.
  public init(isLocked: Bool, restartTime: Duration?, idleTime: Duration?) {
    self.isLocked = isLocked
    self.restartTime = restartTime
    self.idleTime = idleTime
  }

  /// Whether the renderer starts the flow more than once.
  public var isRestarting: Bool { restartTime != nil || idleTime != nil }

  /// The action to take for a flow without input.
  public enum IdleStep: Sendable, Hashable {
    /// Do nothing for this time; nil for no limit.
    case wait(Duration?)
    /// Ask whether the user is still present. The flow is cancelled after this time.
    case warn(left: Duration)
    /// Cancel the flow and start it again.
    case reset
  }

  /// Decides what to do about a flow.
  ///
  /// - Parameters:
  ///   - time: time since the last input.
  ///   - isTouched: whether there was any input since the flow started. If not, the flow is in the same state as after a reset.
  /// - Returns: the action to take.
  public func step(idleFor time: Duration, isTouched: Bool) -> IdleStep {
    guard let idleTime, isTouched else { return .wait(nil) }
    let left = idleTime - time
    if left <= .zero { return .reset }
    let warning = min(idleTime / 2, Self.longestWarning)
    return left <= warning ? .warn(left: left) : .wait(left - warning)
  }
}

/// A remaining time as a clock shows it: `0:25`, `12:00`. It is the same in all languages.
public struct ClockTime: Sendable, Hashable, CustomStringConvertible {
  /// The time in seconds, rounded up, so that 0 means that it has passed.
  public let seconds: Int64

  /// Creates a time; a negative one becomes 0.
  public init(_ time: Duration) {
    let (seconds, rest) = time.components
    self.seconds = max(0, seconds + (rest > 0 ? 1 : 0))
  }

  /// The minutes and the seconds.
  public var description: String {
    let rest = seconds % 60
    return "\(seconds / 60):" + (rest < 10 ? "0" : "") + "\(rest)"
  }
}

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
  ///   - isTouched: whether there was any input before.
  package init(stamp: Double?, at now: ContinuousClock.Instant, isTouched: Bool = false) {
    (self.stamp, touch, look, self.isTouched) = (stamp, now, now, isTouched)
  }

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
