import Glibc

/// A moment as a calendar and a clock show it.
package struct CalendarTime: Sendable, Hashable {
  private let parts: [Int]
  private let microsecond: Int

  /// Creates a time.
  ///
  /// - Parameters:
  ///   - microseconds: microseconds since 1970, UTC.
  ///   - offset: seconds by which the clock is ahead of UTC; nil for that of the system, as `TZ` or /etc/localtime say.
  package init(microseconds: UInt64, secondsFromGMT offset: Int? = nil) {
    var seconds = time_t(clamping: microseconds / 1_000_000)
    var moment = tm()
    if let offset {
      seconds += offset
      gmtime_r(&seconds, &moment)
    } else {
      tzset()
      localtime_r(&seconds, &moment)
    }
    parts = [moment.tm_year, moment.tm_mon, moment.tm_mday, moment.tm_hour, moment.tm_min, moment.tm_sec].map(Int.init)
    microsecond = Int(microseconds % 1_000_000)
  }

  /// Date and time, as in `2026-11-23 21:05:09`.
  package var text: String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let date = ["\(parts[0] + 1900)", two(parts[1] + 1), two(parts[2])].joined(separator: "-")
    return date + " " + parts[3...].map(two).joined(separator: ":")
  }

  /// Date and time with milliseconds, as in `2026-11-23 21:05:09.042`.
  package var textWithMilliseconds: String {
    let milliseconds = "\(microsecond / 1000)"
    return text + "." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
  }
}
