import CoordinatorKit
import Forms
import Platform

/// What was found in the flows of a script, for programs.
package struct CheckReport: Sendable {
  private let file: String
  private let isStrict: Bool
  private var flows: [ExploredFlow] = []

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - file: the path of the script.
  ///   - isStrict: whether warnings count as errors.
  package init(of file: String, strictly isStrict: Bool) { (self.file, self.isStrict) = (file, isStrict) }

  /// Adds what was found in a flow.
  package mutating func add(_ flow: ExploredFlow) { flows.append(flow) }

  /// Whether nothing is wrong.
  package var isFine: Bool { flows.allSatisfy { $0.isFine(strictly: isStrict) } }

  /// Returns a flow as JSON on one line. Docs/writing-scripts.md describes the members.
  ///
  /// - Parameter flow: what was found in it.
  /// - Returns: the object.
  package func json(of flow: ExploredFlow) -> String {
    func names(_ kind: ExploredFlow.Node.Kind) -> JSONValue { .array(flow.names(kind).map { .string($0) }) }
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    let members: [String: JSONValue] = [
      "flow": .string(flow.name), "file": .string(file), "ok": .boolean(flow.isFine(strictly: isStrict)),
      "paths": .integer(Int64(flow.paths)), "states": .integer(Int64(flow.states)),
      "moves": .integer(Int64(flow.moves)),
      "seconds": .number((flow.seconds * 1_000).rounded() / 1_000),
      "complete": .boolean(flow.bound == nil && !flow.skipped.contains(.incomplete)),
      "bound": flow.bound.map { .string($0.rawValue) } ?? .null, "growth": flow.growth.map { .string($0) } ?? .null,
      "untried": texts(flow.untried), "questions": names(.question), "steps": names(.step), "looks": names(.look),
      "children": names(.child), "ends": texts(flow.ends), "notes": texts(flow.notes),
      "problems": .array(flow.problems.map { json(of: $0) }),
    ]
    return JSONValue.object(members).text(omittingNulls: false)
  }

  private func json(of problem: ExploredProblem) -> JSONValue {
    [
      "check": .string(problem.check.rawValue), "severity": .string(severity(of: problem).rawValue),
      "message": .string(problem.lines.joined(separator: "\n")), "file": .string(path(of: problem)),
      "line": problem.place.map { .integer(Int64($0.line)) } ?? .null,
      "path": .array(problem.path.map { .string($0) }),
    ]
  }

  /// The path of the script, as it was given; of another script, its name.
  private func path(of problem: ExploredProblem) -> String {
    let name = file.bytes.cutLast(at: "/").map { String($0.after) } ?? file
    return problem.place.map { $0.file.bytes.equals(name) ? file : $0.file } ?? file
  }

  private func severity(of problem: ExploredProblem) -> ExploredProblem.Severity { isStrict ? .error : problem.check.severity }

  // MARK: JUnit

  /// The report in the format of JUnit, as GitHub and GitLab read it: a suite per flow, and a test case per check. Warnings are
  /// the output of a test case that passes; one that was not made is skipped.
  package var junit: String {
    let suites = flows.flatMap { suite(of: $0) }
    return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites\(totals(of: flows))>"] + suites + ["</testsuites>"])
      .map { $0 + "\n" }.joined()
  }

  private func totals(of flows: [ExploredFlow]) -> String {
    let checks = ExploredProblem.Check.allCases
    let failures = flows.map { flow in checks.filter { !self.failures(of: $0, in: flow).isEmpty }.count }.reduce(0, +)
    let skipped = flows.map { flow in checks.filter { flow.isSkipped($0) }.count }.reduce(0, +)
    let seconds = (flows.map(\.seconds).reduce(0, +) * 1_000).rounded() / 1_000
    return " tests=\"\(flows.count * checks.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
      + " time=\"\(seconds)\""
  }

  private func failures(of check: ExploredProblem.Check, in flow: ExploredFlow) -> [ExploredProblem] {
    flow.problems.filter { $0.check == check && severity(of: $0) == .error }
  }

  private func suite(of flow: ExploredFlow) -> [String] {
    let name = MarkupText.xml(flow.name)
    let cases = ExploredProblem.Check.allCases.flatMap { check -> [String] in
      let title = MarkupText.xml(check.promise)
      let opening = "    <testcase classname=\"\(name)\" name=\"\(title)\" file=\"\(MarkupText.xml(file))\" time=\"0\""
      let failures = failures(of: check, in: flow)
      let warnings = flow.problems.filter { $0.check == check && severity(of: $0) == .warning }
      if flow.isSkipped(check) { return ["\(opening)><skipped message=\"not checked\"/></testcase>"] }
      if failures.isEmpty, warnings.isEmpty { return ["\(opening)/>"] }
      var lines = ["\(opening)>"]
      if let first = failures.first {
        let text = failures.map(\.report).joined(separator: "\n")
        let message = MarkupText.xml(first.lines.first ?? "")
        lines.append("      <failure message=\"\(message)\" type=\"\(check.rawValue)\">\(MarkupText.xml(text))</failure>")
      }
      if !warnings.isEmpty {
        lines.append("      <system-out>\(MarkupText.xml(warnings.map(\.report).joined(separator: "\n")))</system-out>")
      }
      return lines + ["    </testcase>"]
    }
    return ["  <testsuite name=\"\(name)\"\(totals(of: [flow]))>"] + cases + ["  </testsuite>"]
  }
}

extension ExploredFlow {
  /// Whether nothing is known about a check.
  fileprivate func isSkipped(_ check: ExploredProblem.Check) -> Bool {
    skipped.contains(check) && !problems.contains { $0.check == check }
  }

  /// Creates the result for a script that cannot be read: nothing of it was checked.
  ///
  /// - Parameters:
  ///   - file: the path of the script.
  ///   - reason: what is wrong.
  package init(unreadable file: String, because reason: String) {
    self.init(file.bytes.cutLast(at: "/").map { String($0.after) } ?? file)
    skipped = Set(ExploredProblem.Check.allCases)
    add(ExploredProblem(.mistake, id: reason, lines: ["\(file): \(reason)"]))
  }
}

extension ExploredProblem {
  /// What is wrong, where, and the answers that lead to it, as lines for people.
  package var report: String {
    let about = check.severity == .warning ? ["warning: \(lines.first ?? "")"] + lines.dropFirst() : lines
    let isPlaced = place.map { place in lines.contains { $0.bytes.contains(place.text) } } ?? true
    let line = isPlaced ? [] : place.map { ["  at: \($0.text)"] } ?? []
    let way = path.isEmpty ? [] : ["  after: \(path.joined(separator: " ▸ "))"]
    return (about + line + way).map(\.printable).joined(separator: "\n")
  }
}
