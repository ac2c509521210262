/// The number of a screen in its flow tree. Screens are numbered 1, 2, 3 … as they are presented; numbers are never
/// reused.
public struct ScreenID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// The number as it appears on the bus.
  public let number: UInt64

  /// Creates the id with the given number.
  public init(_ number: UInt64) { self.number = number }

  /// The number in decimal.
  public var description: String { String(number) }

  /// Returns whether one screen was presented before the other.
  public static func < (left: ScreenID, right: ScreenID) -> Bool { left.number < right.number }
}
