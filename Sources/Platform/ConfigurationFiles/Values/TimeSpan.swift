import Platform

/// Time spans in the syntax of systemd.time(7): `30` (seconds), `5min`, `1h 30min`.
enum TimeSpan {
  private static let units: [(names: [String], microseconds: Int64)] = [
    (["w", "week", "weeks"], 604_800_000_000),
    (["d", "day", "days"], 86_400_000_000),
    (["h", "hr", "hour", "hours"], 3_600_000_000),
    (["min", "m", "minute", "minutes"], 60_000_000),
    (["s", "sec", "second", "seconds"], 1_000_000),
    (["ms", "msec"], 1_000),
    (["us", "usec", "µs"], 1),
  ]

  /// Parses a sequence of whole numbers with units; a number without a unit is in seconds. Returns nil if the string is
  /// not a time span.
  static func read(_ text: String) -> Duration? {
    let blank = UInt8(ascii: " ")
    var rest = text[...].utf8.drop { $0 == blank }
    guard !rest.isEmpty else { return nil }
    var sum: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest[digits.endIndex...].drop { $0 == blank }
      let name = rest.prefix { $0 != blank && !$0.isASCIIDigit }
      rest = rest[name.endIndex...].drop { $0 == blank }
      guard let number = Int64(Substring(digits)), let unit = microseconds(of: name.isEmpty ? "s" : Substring(name)) else {
        return nil
      }
      let (product, isTooMuch) = number.multipliedReportingOverflow(by: unit)
      let (next, isTooLong) = sum.addingReportingOverflow(product)
      guard !isTooMuch, !isTooLong else { return nil }
      sum = next
    }
    return .microseconds(sum)
  }

  private static func microseconds(of name: Substring) -> Int64? {
    units.first { $0.names.contains(String(name)) }?.microseconds
  }

  /// Formats a time span with the largest units that fit, except weeks.
  static func write(_ time: Duration) -> String {
    var left = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
    // `joined()` would make the runtime look up types each time a daemon starts.
    var text = ""
    for unit in units.dropFirst() where left >= unit.microseconds {
      text += "\(text.isEmpty ? "" : " ")\(left / unit.microseconds)\(unit.names.first ?? "")"
      left %= unit.microseconds
    }
    return text.isEmpty ? "0" : text
  }
}
