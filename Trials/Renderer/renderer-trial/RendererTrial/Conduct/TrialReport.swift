import CoordinatorClient
import CoordinatorKit

/// The report of a renderer trial.
public struct TrialReport: Sendable {
  /// The result that the flow found; nil if the flow did not finish.
  public var result: TrialResult?
  /// How the flow ended instead of finishing; nil if it finished.
  public var ending: String?
  /// The faults of the renderer on the bus.
  public var conduct: [String]
  /// Possible improvements of the renderer.
  public var remarks: [String]
  /// The steps that were left out.
  public var skipped: [TrialStep]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - end: how the flow ended; nil if it did not.
  ///   - review: the review of the messages on the bus.
  ///   - skipped: the steps that were left out.
  public init(end: FlowEnd?, review: ConductReview, skipped: [TrialStep] = []) {
    self.skipped = skipped
    conduct = review.faults
    remarks = review.remarks
    switch end {
    case .finished(let result):
      self.result = try? JSONValue.object(result).decoded(as: TrialResult.self)
      if self.result == nil { ending = "the flow's result cannot be read" }
    case .cancelled: ending = "the flow was left before it ended"
    case .stopped: ending = "the daemon was stopped"
    case .failed(_, let message, _): ending = "the flow failed: \(message)"
    case .lost, nil: ending = "the flow did not end"
    }
  }

  /// Whether the renderer passed: the flow finished, and there were no faults.
  public var isPassed: Bool { ending == nil && conduct.isEmpty && result?.faults.isEmpty == true }

  /// The human-readable report, one line per element.
  public var lines: [String] {
    var lines: [String] = []
    for step in result?.steps ?? [] {
      let faults = result?.faults.filter { $0.step == step } ?? []
      lines.append("\(faults.isEmpty ? "ok    " : "WRONG ") \(step.title)")
      lines += faults.map { "         \($0.text)" }
    }
    lines += skipped.map { "skip   \($0.title)" }
    if let ending { lines.append("WRONG  \(ending)") }
    lines.append("\(conduct.isEmpty ? "ok    " : "WRONG ") its behavior on the bus")
    lines += conduct.map { "         \($0)" } + remarks.map { "remark \($0)" }
    let count = (result?.faults.count ?? 0) + conduct.count + (ending == nil ? 0 : 1)
    return lines + [
      "",
      isPassed ? "The renderer passed." : "The renderer failed in \(count) \(count == 1 ? "respect" : "respects").",
    ]
  }
}
