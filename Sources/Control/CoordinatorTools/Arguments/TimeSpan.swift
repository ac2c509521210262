/// A span of time as it is written on a command line: `30`, `30s`, `5m`, `2h`, `500ms`. Without a unit it is in seconds.
public struct TimeSpan: Sendable, Hashable {
  /// Its length; never 0.
  public let microseconds: UInt64

  /// Reads a span: nil for what is none, is 0, or is too long for 64 bits of microseconds.
  public init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [Substring: UInt64] = ["": 1_000_000, "ms": 1000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000]
    guard let number = UInt64(digits), number > 0, let unit = units[text.dropFirst(digits.count)] else { return nil }
    let (product, isOverflow) = number.multipliedReportingOverflow(by: unit)
    guard !isOverflow else { return nil }
    microseconds = product
  }
}
