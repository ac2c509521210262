import Platform

/// A duration on a command line: `30`, `30s`, `5m`, `2h`, `500ms`. Without a unit, the number is in seconds.
public struct TimeSpan: Sendable, Hashable {
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
