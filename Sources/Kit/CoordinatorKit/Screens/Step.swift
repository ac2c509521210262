/// The place of a screen in a sequence of steps, such as 3 of 6.
public struct Step: Sendable, Hashable {
  /// The number of the step, from 1.
  public var number: Int
  /// How many steps there are; nil if that is not known.
  public var count: Int?

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - number: the number of the step, from 1; a smaller one becomes 1.
  ///   - count: how many steps there are; at least `number`.
  public init(_ number: Int, of count: Int? = nil) {
    self.number = max(number, 1)
    self.count = count.map { max($0, number, 1) }
  }
}
