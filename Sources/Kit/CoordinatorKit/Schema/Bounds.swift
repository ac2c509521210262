/// From where to where something may go; without an end where there is no limit.
public struct Bounds<Value: Comparable> {
  /// One end: the last value that is allowed, or the first that is not.
  public enum Limit {
    /// The last value that is allowed.
    case inclusive(Value)
    /// The first value that is not.
    case exclusive(Value)

    package var value: Value {
      switch self {
      case .inclusive(let value), .exclusive(let value): value
      }
    }

    package var isExclusive: Bool { if case .exclusive = self { true } else { false } }
  }

  /// The lower end, nil if there is none.
  public var lower: Limit?
  /// The upper end, nil if there is none.
  public var upper: Limit?

  /// - Parameters:
  ///   - lower: the lower end, nil if there is none.
  ///   - upper: the upper end, nil if there is none.
  public init(lower: Limit? = nil, upper: Limit? = nil) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether nothing lies within.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower.isExclusive || upper.isExclusive ? !(lower.value < upper.value) : !(lower.value <= upper.value)
  }

  /// Whether `value` lies within; what cannot be compared (not a number) never does.
  public func contains(_ value: Value) -> Bool {
    switch lower {
    case .inclusive(let limit): guard value >= limit else { return false }
    case .exclusive(let limit): guard value > limit else { return false }
    case nil: break
    }
    return switch upper {
    case .inclusive(let limit): value <= limit
    case .exclusive(let limit): value < limit
    case nil: true
    }
  }
}

extension Bounds: Sendable where Value: Sendable {}
extension Bounds: Equatable {}
extension Bounds: Hashable where Value: Hashable {}
extension Bounds.Limit: Sendable where Value: Sendable {}
extension Bounds.Limit: Equatable {}
extension Bounds.Limit: Hashable where Value: Hashable {}

/// What can be written for bounds in a flow: `1...64`, `1...`, `...64`.
public protocol BoundsExpression<Bound> {
  /// What lies within the bounds: `Int` for counts and lengths, `Int64` or `Double` for numbers.
  associatedtype Bound: Comparable
  /// The same as bounds.
  var bounds: Bounds<Bound> { get }
}

extension Bounds: BoundsExpression {
  /// These bounds.
  public var bounds: Bounds<Value> { self }
}

extension ClosedRange: BoundsExpression {
  /// Both ends included.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound), upper: .inclusive(upperBound)) }
}

extension PartialRangeFrom: BoundsExpression {
  /// Without an upper end.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound)) }
}

extension PartialRangeThrough: BoundsExpression {
  /// Without a lower end.
  public var bounds: Bounds<Bound> { Bounds(upper: .inclusive(upperBound)) }
}
