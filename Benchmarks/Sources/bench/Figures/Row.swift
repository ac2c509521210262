/// A line of the table: what was measured, beside what it is measured by.
struct Row: Sendable, Codable {
  /// What was asked of a figure.
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

  /// What was measured.
  var what: String
  /// Our figure, with its unit.
  var ours: String
  /// What it is measured by, with its unit; empty if by nothing but the target.
  var other: String = ""
  /// What is compared with the target: a ratio, if there is something to compare with.
  var figure: Double
  /// How the figure is written; `×` for a ratio.
  var unit: String = "×"
  var target: Target?

  /// Whether it got where it must; nil if nothing is asked.
  var isMet: Bool? { target?.isMet(by: figure) }
}
