import BusLoad
import DBus
import Platform

/// The counts of calls and answers, and the findings, shared by all clients. Safe to use from any thread.
final class Tally: Sendable {
  private struct Row {
    var calls = 0
    var returns = 0
    var errors: [String: Int] = [:]
  }

  private struct State {
    var rows: [String: Row] = [:]
    var findings: [String] = []
  }

  private let state = Lock(State())

  var calls: Int { state.withLock { $0.rows.values.reduce(0) { $0 + $1.calls } } }
  var findings: [String] { state.withLock { $0.findings } }

  func returned(_ call: MethodCall) {
    update(call) { $0.returns += 1 }
  }

  func refused(_ call: MethodCall, _ error: DBusError) {
    update(call) { $0.errors[error.name.split(separator: ".").last.map(String.init) ?? error.name, default: 0] += 1 }
  }

  func sentWithoutReply(_ call: MethodCall) { update(call) { _ in } }

  /// Adds a finding, and prints it if it is among the first ones.
  func report(_ finding: String) {
    let count = state.withLock { state in
      state.findings.append(finding)
      return state.findings.count
    }
    if count <= 20 { say("FINDING \(count): \(finding)") }
  }

  /// A table with one line per method and its errors.
  var table: String {
    state.withLock { state in
      let rows = state.rows.sorted { $0.key < $1.key }.map { name, row in
        let errors = row.errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "  \(name): \(row.calls) calls, \(row.returns) returns, errors: \(errors.joined(separator: ", "))"
      }
      return rows.joined(separator: "\n")
    }
  }

  /// Counts a call. Calls of invented methods are counted together.
  private func update(_ call: MethodCall, _ change: (inout Row) -> Void) {
    let isKnown = Vocabulary.methods[call.member] != nil
    state.withLock { state in
      var row = state.rows[isKnown ? call.member : "(invented)"] ?? Row()
      row.calls += 1
      change(&row)
      state.rows[isKnown ? call.member : "(invented)"] = row
    }
  }
}
