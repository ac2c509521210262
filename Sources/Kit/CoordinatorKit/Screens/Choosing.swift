/// How rows of a list are chosen, if not one at a time and without a suggestion.
public struct Choosing: Sendable, Hashable {
  /// The ids of the rows that are chosen at first.
  public var initial: [String]
  /// How many rows the user chooses; nil for exactly one, which is sent at once.
  public var count: ClosedRange<Int>?

  /// Creates a way of choosing.
  ///
  /// - Parameters:
  ///   - initial: the ids of the rows that are chosen at first.
  ///   - count: how many rows the user chooses, from 0; nil for exactly one.
  public init(initial: [String] = [], count: ClosedRange<Int>? = nil) {
    self.initial = initial
    self.count = count.map { max($0.lowerBound, 0)...max($0.upperBound, 0) }
  }
}
