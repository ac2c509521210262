import CoordinatorKit
import Platform
import RendererKit

/// One result of `coordinatorctl doctor`: what was checked, what was found, and what to do about it. A value without I/O.
struct HealthCheck: Sendable, Hashable {
  /// How serious a result is; the raw values are for users and scripts.
  enum State: String, Sendable, Hashable, CaseIterable {
    /// Nothing has to be done.
    case ok
    /// It works, but something needs attention.
    case warning
    /// It does not work.
    case failed
  }

  /// What was checked, in one word.
  var name: String
  var state: State
  /// What was found.
  var text: String
  /// What to do, a line each.
  var advice: [String]

  /// Creates a result.
  init(_ name: String, _ state: State, _ text: String, advice: [String] = []) {
    (self.name, self.state, self.text, self.advice) = (name, state, text, advice)
  }

  /// Creates the result of a check that found nothing wrong.
  init(_ name: String, _ text: String, advice: [String] = []) { self.init(name, .ok, text, advice: advice) }

  /// The result as JSON.
  var json: JSONValue {
    [
      "name": .string(name), "state": .string(state.rawValue), "text": .string(text),
      "advice": .array(advice.map(JSONValue.string)),
    ]
  }
}

/// All results of `coordinatorctl doctor`. A value without I/O.
struct HealthReport: Sendable, Hashable {
  var checks: [HealthCheck]

  /// The exit code: an error if a check failed.
  var exit: ToolExit { count(.failed) == 0 ? .success : .error }

  private func count(_ state: HealthCheck.State) -> Int { checks.count { $0.state == state } }

  /// Returns the report for users: a line for each check, and the advice below it.
  func lines(style: TextStyle) -> [String] {
    let width = checks.map(\.name.utf8.count).max() ?? 0
    let wide = HealthCheck.State.allCases.map(\.rawValue.utf8.count).max() ?? 0
    let indent = String(repeating: " ", count: wide + 2 + width + 2)
    return checks.flatMap { check in
      let state = Self.padded(check.state.rawValue, to: wide)
      let head = Self.colored(state, check.state, style) + "  " + Self.padded(check.name, to: width) + "  "
      return [head + check.text.printable] + check.advice.map { indent + style.quiet("→ ", or: "-> ") + $0.printable }
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  private static func colored(_ text: String, _ state: HealthCheck.State, _ style: TextStyle) -> String {
    switch state {
    case .ok: style.quiet(text)
    case .warning: style.warning(text)
    case .failed: style.alarming(text)
    }
  }

  /// The report as JSON.
  var json: JSONValue {
    [
      "checks": .array(checks.map(\.json)), "failed": .integer(Int64(count(.failed))),
      "warnings": .integer(Int64(count(.warning))),
    ]
  }
}

extension TextStyle {
  /// Formats a secondary mark, or its replacement where the terminal shows ASCII only.
  fileprivate func quiet(_ mark: String, or ascii: String) -> String { quiet(isUnicode ? mark : ascii) }
}
