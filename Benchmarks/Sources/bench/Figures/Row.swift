/// A row of the table: a figure, and the figure that it is compared with.
struct Row: Sendable, Codable {
  /// The target for a figure.
  enum Target: Sendable, Codable {
    case atMost(Double)
    case atLeast(Double)

    func isMet(by figure: Double) -> Bool {
      switch self {
      case .atMost(let bound): figure <= bound
      case .atLeast(let bound): figure >= bound
      }
    }
  }

  /// The name of the measurement.
  var what: String
  /// Our figure, with its unit.
  var ours: String
  /// The figure for comparison, with its unit; empty if there is only the target.
  var other: String = ""
  /// The value that is compared with the target: a ratio, if there is a figure for comparison.
  var figure: Double
  /// How the figure is written; `×` for a ratio.
  var unit: String = "×"
  var target: Target?

  /// Whether the target is met; nil without a target.
  var isMet: Bool? { target?.isMet(by: figure) }
}
