import Platform

/// The time from which `coordinatorctl log` prints entries: a span before now, or a date or a time of day.
public enum HistoryStart: Sendable, Hashable {
  /// A number of microseconds ago.
  case ago(UInt64)
  /// A time on a day, which is given in days before today, or as a date.
  case at(Day, minutes: Int)

  /// A day of the calendar.
  public enum Day: Sendable, Hashable {
    /// A number of days before today.
    case before(Int)
    /// A date.
    case date(year: Int, month: Int, day: Int)
  }

  /// Parses `30s`, `5m`, `2h`, `3d`, `today`, `yesterday`, `14:30`, `2026-11-24`, or `2026-11-24 14:30`, also with a `T`
  /// in between. The result is nil if the text is none of them.
  public init?(_ text: String) {
    if let span = DurationArgument(text) {
      self = .ago(span.microseconds)
    } else if let number = text.bytes.dropping(suffix: "d"), let span = DurationArgument("\(number)h") {
      let (product, isOverflow) = span.microseconds.multipliedReportingOverflow(by: 24)
      guard !isOverflow else { return nil }
      self = .ago(product)
    } else {
      let parts = text.utf8.split(maxSplits: 1) { " T".utf8.contains($0) }.map { Substring($0) }
      guard let first = parts.first else { return nil }
      if parts.count == 1, let minutes = Self.minutes(first) {
        self = .at(.before(0), minutes: minutes)
      } else {
        let minutes = parts.count == 1 ? 0 : Self.minutes(parts[1])
        guard let day = Self.day(first), let minutes else { return nil }
        self = .at(day, minutes: minutes)
      }
    }
  }

  /// Returns the time in microseconds since 1970; 0 if it is earlier.
  ///
  /// - Parameters:
  ///   - now: current time in microseconds since 1970.
  ///   - secondsFromGMT: seconds by which the reader's clock is ahead of UTC; nil for that of the system.
  /// - Returns: the microseconds since 1970.
  public func time(before now: UInt64, secondsFromGMT: Int? = nil) -> UInt64 {
    switch self {
    case .ago(let span): return now > span ? now - span : 0
    case .at(.before(let days), let minutes):
      var day = CalendarTime(microseconds: now, secondsFromGMT: secondsFromGMT).day
      day.day -= days
      return CalendarTime.microseconds(on: day, minutes: minutes, secondsFromGMT: secondsFromGMT)
    case .at(.date(let year, let month, let day), let minutes):
      return CalendarTime.microseconds(on: (year, month, day), minutes: minutes, secondsFromGMT: secondsFromGMT)
    }
  }

  private static func day(_ text: Substring) -> Day? {
    switch text {
    case "today": return .before(0)
    case "yesterday": return .before(1)
    default:
      let parts = text.bytes.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2], year >= 1970,
        (1...12).contains(month), (1...31).contains(day)
      else { return nil }
      return .date(year: year, month: month, day: day)
    }
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.bytes.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let hours = parts[0], let minutes = parts[1], (0...23).contains(hours), (0...59).contains(minutes)
    else { return nil }
    return hours * 60 + minutes
  }
}

/// A duration on a command line: `30`, `30s`, `5m`, `2h`, `500ms`. Without a unit, the number is in seconds.
public struct DurationArgument: Sendable, Hashable {
  /// The duration in microseconds; never 0.
  public let microseconds: UInt64

  /// Parses a duration. The result is nil if the text is malformed, is 0, or exceeds 64 bits of microseconds.
  public init?(_ text: String) {
    let digits = Substring(text.utf8.prefix(while: \.isASCIIDigit))
    let units: [Substring: UInt64] = ["": 1_000_000, "ms": 1000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000]
    guard let number = UInt64(digits), number > 0, let unit = units[text[digits.endIndex...]] else { return nil }
    let (product, isOverflow) = number.multipliedReportingOverflow(by: unit)
    guard !isOverflow else { return nil }
    microseconds = product
  }
}
