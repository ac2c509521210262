/// A range with optional limits, each of which may be inclusive or exclusive.
public struct Bounds<Value: Comparable> {
  /// A limit of a range.
  public enum Limit {
    /// The last allowed value.
    case inclusive(Value)
    /// The first value that is not allowed.
    case exclusive(Value)

    package var value: Value {
      switch self {
      case .inclusive(let value), .exclusive(let value): value
      }
    }

    package var isExclusive: Bool { if case .exclusive = self { true } else { false } }
  }

  /// The lower limit; nil if there is none.
  public var lower: Limit?
  /// The upper limit; nil if there is none.
  public var upper: Limit?

  /// Creates bounds.
  ///
  /// - Parameters:
  ///   - lower: the lower limit; nil if there is none.
  ///   - upper: the upper limit; nil if there is none.
  public init(lower: Limit? = nil, upper: Limit? = nil) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether no value lies within the bounds.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower.isExclusive || upper.isExclusive ? !(lower.value < upper.value) : !(lower.value <= upper.value)
  }

  /// Returns whether `value` lies within the bounds; always false for NaN.
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

/// An expression for bounds in the source of a flow: `1...64`, `1...` or `...64`.
///
/// ```swift
/// Field("name", .string(title: "Name", length: 1...32))
/// ```
public protocol BoundsExpression<Bound> {
  /// The type of the bounded values: `Int` for counts and lengths, `Int64` or `Double` for numbers.
  ///
  /// ```swift
  /// func integer(range: some BoundsExpression<Int64>) -> Bounds<Int64> { range.bounds }
  /// ```
  associatedtype Bound: Comparable
  /// The bounds that the expression denotes.
  var bounds: Bounds<Bound> { get }
}

extension Bounds: BoundsExpression {
  /// The value itself.
  public var bounds: Bounds<Value> { self }
}

extension ClosedRange: BoundsExpression {
  /// Bounds that include both ends of the range.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound), upper: .inclusive(upperBound)) }
}

extension PartialRangeFrom: BoundsExpression {
  /// Bounds without an upper limit.
  public var bounds: Bounds<Bound> { Bounds(lower: .inclusive(lowerBound)) }
}

extension PartialRangeThrough: BoundsExpression {
  /// Bounds without a lower limit.
  public var bounds: Bounds<Bound> { Bounds(upper: .inclusive(upperBound)) }
}
