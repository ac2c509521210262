import Foundation

/// A comparison of the current costs of calls with the recorded ones.
public struct CostComparison: Sendable {
  /// A figure of a scenario.
  public struct Row: Sendable, Hashable {
    /// The name of the scenario.
    public var scenario: String
    /// The name of the figure.
    public var figure: String
    /// The recorded value; nil if there is none.
    public var before: Double?
    /// The current value; nil if the figure is no longer measured.
    public var now: Double?

    /// The relative growth, 0.05 for 5 %; nil if there is nothing to compare.
    public var growth: Double? {
      guard let before, let now, before > 0 else { return nil }
      return now / before - 1
    }
  }

  /// The result of a comparison.
  public enum Verdict: Sendable, Hashable {
    /// No figure has grown by more than the tolerance.
    case passed
    /// A figure has grown, but a different platform may be the reason.
    case doubtful
    /// A figure has grown, or cannot be compared because it is missing on one side.
    case failed
  }

  /// The relative change that is tolerated. The counts are reproducible to half a percent.
  public let tolerance: Double
  /// All figures, ordered by scenario name.
  public let rows: [Row]
  /// The differences between the platforms: `swift 6.3.0 → 6.3.1`.
  public let differences: [String]

  /// Compares two sections.
  ///
  /// - Parameters:
  ///   - before: the recorded costs.
  ///   - now: the measured costs.
  ///   - tolerance: the relative change that is tolerated.
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

  /// The figures that have grown by more than the tolerance.
  public var grown: [Row] { rows.filter { $0.growth.map { $0 > tolerance } ?? false } }
  /// The figures that have shrunk by more than the tolerance.
  public var shrunk: [Row] { rows.filter { $0.growth.map { $0 < -tolerance } ?? false } }
  /// The figures that cannot be compared.
  public var incomparable: [Row] { rows.filter { $0.growth == nil } }

  /// The result of the comparison.
  public var verdict: Verdict {
    if !incomparable.isEmpty { return .failed }
    if grown.isEmpty { return .passed }
    return differences.isEmpty ? .failed : .doubtful
  }
}
