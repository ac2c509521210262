/// How far the work on a screen has progressed.
public struct Progress: Sendable, Hashable {
  /// The completed fraction, from 0 to 1; nil if unknown.
  public var fraction: Double?
  /// A description of the current step.
  public var text: String?

  /// Creates a progress value. Both parts are optional.
  ///
  /// - Parameters:
  ///   - fraction: the completed fraction, from 0 to 1; a value outside that range is clamped, and NaN becomes nil.
  ///   - text: a description of the current step.
  public init(fraction: Double? = nil, text: Text? = nil) {
    self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    self.text = text?.string
  }
}
