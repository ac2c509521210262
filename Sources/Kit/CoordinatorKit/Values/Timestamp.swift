/// A time by the wall clock, which remains valid if the machine is suspended, restarted, or its clock is set.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
  /// The number of microseconds since 1970-01-01 00:00 UTC.
  public var microseconds: UInt64

  /// Creates a time.
  ///
  /// - Parameter microseconds: the number of microseconds since 1970-01-01 00:00 UTC.
  public init(microseconds: UInt64) { self.microseconds = microseconds }

  /// Decodes a number of microseconds.
  public init(from decoder: any Decoder) throws {
    microseconds = try decoder.singleValueContainer().decode(UInt64.self)
  }

  /// Encodes the number of microseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }

  /// Returns whether one time is before another.
  public static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

  /// Returns the time that is a duration later, or the same time if the duration is negative. A time too far away to be
  /// represented becomes the last one.
  ///
  /// - Parameters:
  ///   - time: the time to start from.
  ///   - duration: how much later.
  /// - Returns: the later time.
  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return time }
    let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !isTooLong else { return .distantFuture }
    let (sum, isTooFar) = time.microseconds.addingReportingOverflow(whole)
    guard !isTooFar else { return .distantFuture }
    return min(Timestamp(microseconds: sum.addingOrMax(UInt64(attoseconds / 1_000_000_000_000))), .distantFuture)
  }

  /// The last time that a store and a clock can represent.
  static let distantFuture = Timestamp(microseconds: UInt64(Int64.max))
}

extension UInt64 {
  fileprivate func addingOrMax(_ other: UInt64) -> UInt64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
