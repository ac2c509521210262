import Foundation

/// What calls cost now, beside what they cost when it was written down.
public struct CostComparison: Sendable {
  /// One figure of one scenario.
  public struct Row: Sendable, Hashable {
    /// Which.
    public var scenario: String
    /// Of what.
    public var figure: String
    /// As it was written down; nil if it was not.
    public var before: Double?
    /// As it is now; nil if it is not measured any more.
    public var now: Double?

    /// By how much of itself it has grown; nil if there is nothing to compare.
    public var growth: Double? {
      guard let before, let now, before > 0 else { return nil }
      return now / before - 1
    }
  }

  /// What has come of the comparison.
  public enum Verdict: Sendable, Hashable {
    /// Nothing has grown much.
    case passed
    /// Something has grown, but something else than our code may be the reason.
    case doubtful
    /// Something has grown, or cannot be compared because it was not written down.
    case failed
  }

  /// How much something may change before it is worth a word; counting is exact to half a percent.
  public let tolerance: Double
  /// All figures, in the order of their scenarios' names.
  public let rows: [Row]
  /// What is different from where the figures were written down: `swift 6.3.0 → 6.3.1`.
  public let differences: [String]

  /// Compares.
  ///
  /// - Parameters:
  ///   - before: What was written down.
  ///   - now: What was measured.
  ///   - tolerance: How much something may change.
  public init(_ before: CostFile.Section, _ now: CostFile.Section, tolerance: Double) {
    self.tolerance = tolerance
    rows = Set(before.scenarios.keys).union(now.scenarios.keys).sorted().flatMap { scenario in
      Cost.figures.map { figure in
        Row(
          scenario: scenario, figure: figure.name, before: before.scenarios[scenario].map(figure.value),
          now: now.scenarios[scenario].map(figure.value))
      }
    }
    differences = Set(before.platform.keys).union(now.platform.keys).sorted().compactMap { key in
      let (old, new) = (before.platform[key] ?? "?", now.platform[key] ?? "?")
      return old == new ? nil : "\(key) \(old) → \(new)"
    }
  }

  /// What has grown by more than the tolerance.
  public var grown: [Row] { rows.filter { $0.growth.map { $0 > tolerance } ?? false } }
  /// What has shrunk by more than the tolerance.
  public var shrunk: [Row] { rows.filter { $0.growth.map { $0 < -tolerance } ?? false } }
  /// What there is only one figure of.
  public var incomparable: [Row] { rows.filter { $0.growth == nil } }

  /// Whether to go on.
  public var verdict: Verdict {
    if !incomparable.isEmpty { return .failed }
    if grown.isEmpty { return .passed }
    return differences.isEmpty ? .failed : .doubtful
  }
}
