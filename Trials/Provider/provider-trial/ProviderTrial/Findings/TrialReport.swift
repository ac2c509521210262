import CoordinatorKit

/// The report of a trial of a provider.
public struct TrialReport: Sendable {
  /// The mistakes of the provider, in the order in which they were found.
  public var findings: [Finding]
  /// Remarks about behavior that may be intended.
  public var remarks: [String]
  /// A summary of the walk through each flow.
  public var walks: [String]
  /// The number of times that each check was made.
  public var tried: [Check: Int]
  /// The number of questions to the provider about each kind of event.
  public var kinds: [String: Int]
  /// The parts that could not be tried, with the reasons.
  public var notTried: [String]
  /// Whether the trial was completed.
  public var isComplete: Bool

  /// Whether the provider passed.
  public var isPassed: Bool { isComplete && findings.isEmpty }

  /// The report for people.
  public var lines: [String] {
    let kinds = self.kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let tried = Check.allCases.compactMap { check in self.tried[check].map { "\(check.words) \($0)" } }
    var lines = walks
    lines.append("Asked: \(kinds.isEmpty ? "nothing" : kinds).")
    lines.append("Tried: \(tried.isEmpty ? "nothing" : tried.joined(separator: ", ")).")
    lines += notTried.map { "Not tried: \($0)." } + remarks.map { "Remark: \($0)." }
    if !findings.isEmpty { lines.append("") }
    lines += findings.map(\.description) + [""]
    if !isComplete { lines.append("The trial did not come to its end.") }
    let count = findings.count == 1 ? "1 respect" : "\(findings.count) respects"
    if findings.isEmpty { return lines + (isComplete ? ["The provider passed."] : []) }
    return lines + ["The provider failed in \(count)."]
  }

  /// The report for programs.
  public var json: JSONValue {
    .object([
      "passed": .boolean(isPassed), "complete": .boolean(isComplete),
      "findings": .array(
        findings.map { finding in
          var values: [String: JSONValue] = [
            "rule": .string(finding.check.rule), "check": .string(finding.check.rawValue), "text": .string(finding.text),
            "advice": .string(finding.check.advice),
          ]
          values["flow"] = finding.flow.map { .string($0) }
          values["event"] = finding.event.map { .string($0) }
          values["turn"] = finding.turn.map { .integer(Int64(clamping: $0)) }
          return .object(values)
        }),
      "remarks": .array(remarks.map { .string($0) }), "walks": .array(walks.map { .string($0) }),
      "tried": .object(
        Dictionary(uniqueKeysWithValues: tried.map { ($0.key.rawValue, JSONValue.integer(Int64($0.value))) })),
      "asked": .object(kinds.mapValues { .integer(Int64($0)) }),
      "notTried": .array(notTried.map { .string($0) }),
    ])
  }
}
