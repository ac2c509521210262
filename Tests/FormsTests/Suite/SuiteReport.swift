import Forms

/// The results of the groups of the official test suite.
struct SuiteReport {
  private(set) var groups = 0
  private(set) var tests = 0
  /// The tests with a wrong verdict.
  private(set) var wrong: [String] = []
  /// The number of groups left out, by the keyword that was refused first.
  private(set) var leftOut: [String: Int] = [:]

  /// Runs the tests of a group.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - verdict: returns whether the validator accepts a value; nil to leave the value out.
  ///   - isValid: returns whether the validator should accept a value.
  mutating func run(
    _ group: SuiteGroup, verdict: (JSONValue) -> Bool?, isValid: (SuiteGroup.Case) -> Bool = \.valid
  ) {
    groups += 1
    for test in group.tests {
      guard let isAccepted = verdict(test.data) else { continue }
      tests += 1
      if isAccepted != isValid(test) { wrong.append("\(group.name): \(test.description)") }
    }
  }

  /// Records that a schema was refused.
  mutating func leaveOut(_ error: SchemaError) {
    let keyword = String(error.pointer.split(separator: "/").last ?? "")
    let name = if case .unsupportedFormat(let format) = error.reason { "format: \(format)" } else { keyword }
    leftOut[name, default: 0] += 1
  }

  /// The table of left-out groups in `Docs/forms.md`.
  var table: String {
    leftOut.sorted { $0.key < $1.key }.map { "| `\($0.key)` | \($0.value) |" }.joined(separator: "\n")
  }
}
