import Glibc

/// A moment as calendar and clock fields.
package struct CalendarTime: Sendable, Hashable {
  private let parts: [Int]
  private let microsecond: Int

  /// Creates a time.
  ///
  /// - Parameters:
  ///   - microseconds: the microseconds since 1970, UTC.
  ///   - offset: the seconds by which the clock is ahead of UTC; nil for the system's offset, which `TZ` or /etc/localtime
  ///     determines.
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

  /// The date and time, such as `2026-11-23 21:05:09`.
  package var text: String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let date = ["\(parts[0] + 1900)", two(parts[1] + 1), two(parts[2])].joined(separator: "-")
    return date + " " + parts[3...].map(two).joined(separator: ":")
  }

  /// The date and time without separators, such as `20261123T210509Z`; only for a time in UTC.
  package var compactText: String {
    text.bytes.replacing("-", with: "").bytes.replacing(":", with: "").bytes.replacing(" ", with: "T") + "Z"
  }

  /// Returns the moment at which a clock shows a time of day.
  ///
  /// - Parameters:
  ///   - day: the year, month and day. A day beyond the end of the month belongs to the next month.
  ///   - minutes: the minutes since midnight.
  ///   - offset: the seconds by which the clock is ahead of UTC; nil for the system's offset.
  /// - Returns: the microseconds since 1970; 0 if the moment is earlier.
  package static func microseconds(
    on day: (year: Int, month: Int, day: Int), minutes: Int, secondsFromGMT offset: Int? = nil
  ) -> UInt64 {
    var moment = tm()
    moment.tm_year = Int32(clamping: day.year - 1900)
    moment.tm_mon = Int32(clamping: day.month - 1)
    moment.tm_mday = Int32(clamping: day.day)
    moment.tm_min = Int32(clamping: minutes)
    // The system determines whether daylight saving time applies at that moment.
    moment.tm_isdst = -1
    let seconds = offset.map { timegm(&moment) - $0 } ?? mktime(&moment)
    return UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000).partialValue
  }

  /// The date: year, month and day.
  package var day: (year: Int, month: Int, day: Int) { (parts[0] + 1900, parts[1] + 1, parts[2]) }

  /// The date and time with milliseconds, such as `2026-11-23 21:05:09.042`.
  package var textWithMilliseconds: String {
    let milliseconds = "\(microsecond / 1000)"
    return text + "." + String(repeating: "0", count: 3 - milliseconds.utf8.count) + milliseconds
  }
}
