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

  /// Date and time without separators, as in `20261123T210509Z`; of a time in UTC.
  package var compactText: String {
    text.bytes.replacing("-", with: "").bytes.replacing(":", with: "").bytes.replacing(" ", with: "T") + "Z"
  }

  /// Returns the time at which a clock shows a time of day.
  ///
  /// - Parameters:
  ///   - day: year, month and day. A day that the month does not have is one of the next month.
  ///   - minutes: minutes since midnight.
  ///   - offset: seconds by which the clock is ahead of UTC; nil for that of the system.
  /// - Returns: microseconds since 1970; 0 if it is before.
  package static func microseconds(
    on day: (year: Int, month: Int, day: Int), minutes: Int, secondsFromGMT offset: Int? = nil
  ) -> UInt64 {
    var moment = tm()
    moment.tm_year = Int32(clamping: day.year - 1900)
    moment.tm_mon = Int32(clamping: day.month - 1)
    moment.tm_mday = Int32(clamping: day.day)
    moment.tm_min = Int32(clamping: minutes)
    // Whether it is summer time then, the system knows.
    moment.tm_isdst = -1
    let seconds = offset.map { timegm(&moment) - $0 } ?? mktime(&moment)
    return UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000).partialValue
  }

  /// The date: year, month and day.
  package var day: (year: Int, month: Int, day: Int) { (parts[0] + 1900, parts[1] + 1, parts[2]) }

  /// Date and time with milliseconds, as in `2026-11-23 21:05:09.042`.
  package var textWithMilliseconds: String {
    let milliseconds = "\(microsecond / 1000)"
    return text + "." + String(repeating: "0", count: 3 - milliseconds.utf8.count) + milliseconds
  }
}
