/// The number of a screen in its flow tree: 1, 2, 3 ... in the order of presenting, never used twice.
public struct ScreenID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// The number as it stands on the bus.
  public let number: UInt64

  /// The id with the given number.
  public init(_ number: UInt64) { self.number = number }

  /// The number in decimal.
  public var description: String { String(number) }

  /// The order of presenting.
  public static func < (left: ScreenID, right: ScreenID) -> Bool { left.number < right.number }
}
