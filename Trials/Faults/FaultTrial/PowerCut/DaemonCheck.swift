import BusLoad
import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus
import TestBus

/// Starts a daemon from the data that a power cut has left, and compares its reports with the answers that clients received.
struct DaemonCheck {
  let plan: PowerCutTrial.Plan
  let calls: [AcknowledgedCall]
  let directory: String

  /// Compares all trees, and then makes each client's next call as after any crash; it may already be done.
  ///
  /// - Parameter counts: the number of stored calls, for each tree.
  /// - Throws: ``FaultViolation``.
  func run(_ counts: [String: Int]) async throws {
    let daemon = try await LoadedDaemon.start(
      plan.daemon, ["--state-dir", directory, "--log-level", "error", "--sync", "off"], limit: TrialDaemon.limit)
    let client = try await daemon.client()
    let all = Dictionary(grouping: calls, by: \.tree)
    for (token, count) in counts.sorted(by: { $0.key < $1.key }) {
      guard let calls = all[token] else { continue }
      let expected = count == 0 ? Standing.unknown : calls[count - 1].after
      try await compare(client, token, expected)
      // The last stored call is repeated, and then the next one is made, which may have been answered before the cut.
      for call in calls[max(0, count - 1)..<min(calls.count, count + 1)] { try await make(call, client) }
    }
    await client.close()
    let report = await daemon.stop()
    guard report.status == .exited(0), daemon.complaint == nil else {
      throw FaultViolation(.death, of: "the daemon", expected: "exit status 0", found: "\(report)")
    }
  }

  private func compare(_ client: DaemonClient, _ token: String, _ expected: Standing) async throws {
    let found = try await client.standing(of: Contract.flowPath(root: token))
    guard found != expected else { return }
    throw FaultViolation(.other, of: token, expected: "\(expected)", found: "\(found)")
  }

  private func make(_ call: AcknowledgedCall, _ client: DaemonClient) async throws {
    let answer = try await client.connection.call(call.call)
    guard answer == call.answer else {
      throw FaultViolation(
        .doneTwice, of: call.tree, expected: "\(call.call.member) answered with \(call.answer)", found: "\(answer)")
    }
    try await compare(client, call.tree, call.after)
  }
}
