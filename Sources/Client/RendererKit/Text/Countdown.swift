import CoordinatorKit
import DBus
import Glibc
import Languages

/// The words for the time of an automatic event on a screen.
///
/// Every renderer uses the same words: a terminal shows ``sentence``, and a page shows the same words, in which its script
/// counts.
public struct Countdown: Sendable, Hashable {
  /// The words while time remains, with the placeholder `{duration}` for it.
  package static var pattern: String { Text("Continues by itself in {duration}").string }
  /// The words when no time remains.
  package static var due: String { Text("Continues by itself now").string }
  /// The pattern that joins two units, with the placeholders `{first}` and `{second}`, and the units in descending order, with
  /// the placeholder `{count}`.
  package static var units: [String] {
    [Text("{first} {second}", context: "duration").string] + lengths.indices.map { unit($0).string }
  }

  /// The remaining time in microseconds.
  package let microseconds: UInt64

  /// Creates a countdown.
  ///
  /// - Parameters:
  ///   - until: time of the event.
  ///   - now: current time.
  public init(to until: Timestamp, from now: Timestamp) {
    microseconds = until > now ? until.microseconds - now.microseconds : 0
  }

  /// Creates the countdown of a screen; nil if it has none.
  ///
  /// - Parameters:
  ///   - screen: screen to draw.
  ///   - now: current time by the wall clock, for a time of day.
  ///   - elapsed: current time by the clock that cannot be set, for the end of a duration; in microseconds since the start of
  ///     the machine, by default the system's.
  public init?(of screen: Screen, at now: Timestamp, elapsed: @autoclosure () -> UInt64 = ClockTimer.Clock.elapsed.now) {
    guard let until = screen.until else { return nil }
    if let end = screen.elapses {
      self.init(to: Timestamp(microseconds: end), from: Timestamp(microseconds: elapsed()))
    } else {
      self.init(to: until, from: now)
    }
  }

  /// The remaining time in seconds, rounded up, so that 0 means that it has passed.
  package var seconds: UInt64 { microseconds / 1_000_000 + (microseconds % 1_000_000 == 0 ? 0 : 1) }

  /// The time in milliseconds after which ``sentence`` changes; nil if it does not change any more.
  package var nextChange: Int? { microseconds == 0 ? nil : Int((microseconds - 1) % 1_000_000 / 1000) + 1 }

  /// The sentence for users, without a full stop: "Continues by itself in 12 s".
  public var sentence: String {
    seconds == 0 ? Self.due : Text("Continues by itself in {duration}", ["duration": duration]).string
  }

  /// The remaining time in at most two units.
  private var duration: Text {
    let largest = Self.lengths.firstIndex { seconds >= $0 } ?? Self.lengths.count - 1
    let first = Self.unit(largest, ["count": Int(clamping: seconds / Self.lengths[largest])])
    guard largest + 1 < Self.lengths.count else { return first }
    let rest = Int(clamping: seconds % Self.lengths[largest] / Self.lengths[largest + 1])
    guard rest > 0 else { return first }
    // TRANSLATORS: Two units of a duration, such as "2 h 5 min".
    return Text("{first} {second}", ["first": first, "second": Self.unit(largest + 1, ["count": rest])], context: "duration")
  }

  /// The units in seconds: days, hours, minutes, seconds.
  private static let lengths: [UInt64] = [86_400, 3600, 60, 1]

  private static func unit(_ index: Int, _ values: Text.Values = [:]) -> Text {
    switch index {
    // TRANSLATORS: Days, abbreviated.
    case 0: Text("{count} d", values)
    // TRANSLATORS: Hours, abbreviated.
    case 1: Text("{count} h", values)
    // TRANSLATORS: Minutes, abbreviated.
    case 2: Text("{count} min", values)
    // TRANSLATORS: Seconds, abbreviated.
    default: Text("{count} s", values)
    }
  }
}

extension Timestamp {
  /// The current time.
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec / 1000))
  }
}

/// The progress in whole per cent, rounded down, so that 100 % means that all work is done. Every renderer shows the same
/// number.
package struct Percentage: Sendable, Hashable {
  /// The number, from 0 to 100.
  package let number: Int

  /// Creates the percentage of a fraction, which may come from other programs and need not be between 0 and 1.
  package init(_ fraction: Double) {
    // Hundredths are not exact: 0.29 times 100 is slightly less than 29. The script of pages does the same.
    number = fraction.isFinite ? Int((min(max(fraction, 0), 1) * 100 + 1e-9).rounded(.down)) : 0
  }

  /// The words, such as "35%".
  package var text: String { Text("{percent}%", ["percent": number]).string }

  /// The words with the placeholder `{percent}` for the number.
  package static var pattern: String { Text("{percent}%").string }

  /// Returns the words for a fraction.
  package static func text(of fraction: Double) -> String { Percentage(fraction).text }
}
