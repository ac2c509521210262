/// Dates and times according to RFC 3339, section 5.6: `2026-07-21`, `08:30:00Z`, `2026-07-21T08:30:00.5+02:00`.
///
/// The year 0000 and the offset `-00:00` are valid, as in the grammar. A second numbered 60 is valid at the end of a day in
/// UTC, and in a date-time only of a month's last day, because leap seconds are inserted only there.
enum InternetDate {
  static func isDate(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    return date(&cursor) != nil && cursor.isAtEnd
  }

  static func isTime(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    return time(&cursor) != nil && cursor.isAtEnd
  }

  /// Returns whether a string is a time of day without an offset. The seconds may be omitted, as browsers do.
  static func isLocalTime(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard let hour = cursor.number(digits: 2), cursor.skip(":"), let minute = cursor.number(digits: 2), hour < 24, minute < 60
    else { return false }
    guard cursor.skip(":") else { return cursor.isAtEnd }
    guard let second = cursor.number(digits: 2), second < 60 else { return false }
    if cursor.skip("."), cursor.prefix(of: .digits).isEmpty { return false }
    return cursor.isAtEnd
  }

  static func isDateTime(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard let date = date(&cursor), cursor.skip("T") || cursor.skip("t"), let time = time(&cursor), cursor.isAtEnd else {
      return false
    }
    return !time.isLeapSecond || date.isLastOfMonth(shiftedBy: time.dayShift)
  }

  private struct Day {
    let day: Int
    let daysInMonth: Int

    /// Whether the day, shifted by some days, is the last of a month.
    func isLastOfMonth(shiftedBy days: Int) -> Bool {
      switch days {
      case -1: day == 1
      case 1: day + 1 == daysInMonth
      default: day == daysInMonth
      }
    }
  }

  private struct Time {
    let isLeapSecond: Bool
    /// The difference in days between the date in UTC and the local date: -1, 0 or 1.
    let dayShift: Int
  }

  private static func date(_ cursor: inout ByteCursor) -> Day? {
    guard let year = cursor.number(digits: 4), cursor.skip("-"), let month = cursor.number(digits: 2), cursor.skip("-"),
      let day = cursor.number(digits: 2), (1...12).contains(month)
    else { return nil }
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return (1...days).contains(day) ? Day(day: day, daysInMonth: days) : nil
  }

  private static func time(_ cursor: inout ByteCursor) -> Time? {
    guard let hour = cursor.number(digits: 2), cursor.skip(":"), let minute = cursor.number(digits: 2), cursor.skip(":"),
      let second = cursor.number(digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    if cursor.skip("."), cursor.prefix(of: .digits).isEmpty { return nil }
    guard let offset = offset(&cursor) else { return nil }
    let minuteInUTC = hour * 60 + minute - offset
    let dayShift = minuteInUTC < 0 ? -1 : minuteInUTC >= 24 * 60 ? 1 : 0
    if second == 60, minuteInUTC - dayShift * 24 * 60 != 24 * 60 - 1 { return nil }
    return Time(isLeapSecond: second == 60, dayShift: dayShift)
  }

  /// Returns the offset from UTC in minutes.
  private static func offset(_ cursor: inout ByteCursor) -> Int? {
    if cursor.skip("Z") || cursor.skip("z") { return 0 }
    let sign = cursor.skip("+") ? 1 : cursor.skip("-") ? -1 : 0
    guard sign != 0, let hours = cursor.number(digits: 2), cursor.skip(":"), let minutes = cursor.number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
