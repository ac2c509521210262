import Platform

/// Collects the findings and checks of a trial. May be used from any thread.
final class TrialLog: Sendable {
  private struct State: Sendable {
    var findings: [Finding] = []
    var remarks: [String] = []
    var tried: [Check: Int] = [:]
    var kinds: [String: Int] = [:]
    var walks: [String] = []
    var notTried: [String] = []
  }

  /// The maximum number of findings of one check; one mistake often shows in many places.
  private static let mostPerCheck = 3

  private let state = Lock(State())
  private let tell: @Sendable (String) -> Void

  /// Creates an empty log.
  ///
  /// - Parameter tell: a closure that receives progress for people, one line each.
  init(telling tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

  /// Reports progress.
  func say(_ line: String) { tell(line) }

  /// Records that a check is made.
  func tries(_ check: Check, _ count: Int = 1) { state.withLock { $0.tried[check, default: 0] += count } }

  /// Records a question about a kind of event.
  func asks(_ kind: String) { state.withLock { $0.kinds[kind, default: 0] += 1 } }

  /// Records a finding, unless it has been recorded.
  func found(_ check: Check, _ text: String, of flow: String? = nil, at event: String? = nil, turn: UInt64? = nil) {
    // After Ctrl-C, the trial no longer waits, so missing answers are not findings.
    guard !Task.isCancelled else { return }
    let finding = Finding(check: check, flow: flow, event: event, turn: turn, text: text)
    state.withLock { state in
      guard !state.findings.contains(where: finding.repeats),
        state.findings.count(where: { $0.check == check }) < Self.mostPerCheck
      else { return }
      state.findings.append(finding)
    }
  }

  /// Records a finding about a question.
  func found(_ check: Check, _ text: String, over question: Question, turn: UInt64) {
    found(check, text, of: question.flow, at: question.place, turn: turn)
  }

  /// Records a remark about behavior that may be intended.
  func remark(_ text: String) {
    state.withLock { if !$0.remarks.contains(text) { $0.remarks.append(text) } }
  }

  /// Records the summary of a walk.
  func walked(_ text: String) { state.withLock { $0.walks.append(text) } }

  /// Records a part that could not be tried, with the reason.
  func couldNotTry(_ text: String) {
    state.withLock { if !$0.notTried.contains(text) { $0.notTried.append(text) } }
  }

  /// The findings so far.
  var findings: [Finding] { state.withLock(\.findings) }

  /// Returns the report.
  func report(isComplete: Bool) -> TrialReport {
    state.withLock { state in
      TrialReport(
        findings: state.findings, remarks: state.remarks, walks: state.walks, tried: state.tried, kinds: state.kinds,
        notTried: state.notTried, isComplete: isComplete)
    }
  }
}
