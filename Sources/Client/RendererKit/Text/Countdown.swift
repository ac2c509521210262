import CoordinatorKit

/// The words for the time at which something happens by itself on a screen.
///
/// Every renderer says the same: ``sentence`` in a terminal, and on a page ``beginning`` and ``due``, between which its
/// script counts.
public struct Countdown: Sendable, Hashable {
  /// The words before the remaining time.
  package static let beginning = "Continues by itself in"
  /// The words when no time remains.
  package static let due = "Continues by itself now"

  /// The remaining time in microseconds.
  package let microseconds: UInt64

  /// Creates a countdown.
  ///
  /// - Parameters:
  ///   - until: time at which something happens.
  ///   - now: current time.
  public init(to until: Timestamp, from now: Timestamp) {
    microseconds = until > now ? until.microseconds - now.microseconds : 0
  }

  /// The remaining time in seconds, rounded up, so that 0 means that it has passed.
  package var seconds: UInt64 { microseconds / 1_000_000 + (microseconds % 1_000_000 == 0 ? 0 : 1) }

  /// The time in milliseconds after which ``sentence`` changes; nil if it does not change any more.
  package var nextChange: Int? { microseconds == 0 ? nil : Int((microseconds - 1) % 1_000_000 / 1000) + 1 }

  /// The sentence for users, without a full stop: "Continues by itself in 12 s".
  public var sentence: String { seconds == 0 ? Self.due : "\(Self.beginning) \(duration)" }

  /// The remaining time in at most two units.
  private var duration: String {
    for (unit, next, name) in [(86_400, 3600, ("d", "h")), (3600, 60, ("h", "min")), (60, 1, ("min", "s"))] as [Unit]
    where seconds >= unit {
      let rest = seconds % unit / next
      return "\(seconds / unit) \(name.0)" + (rest == 0 ? "" : " \(rest) \(name.1)")
    }
    return "\(seconds) s"
  }

  private typealias Unit = (seconds: UInt64, next: UInt64, names: (String, String))
}
