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
