/// How far the work on a screen has come.
public struct Progress: Sendable, Hashable {
  /// From 0 to 1; nil if it is not known.
  public var fraction: Double?
  /// What is being done.
  public var text: String?

  /// Progress of which both parts may be unknown.
  ///
  /// - Parameters:
  ///   - fraction: from 0 to 1; clamped if it is outside, and dropped if it is not a number.
  ///   - text: what is being done.
  public init(fraction: Double? = nil, text: String? = nil) {
    self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    self.text = text
  }
}
