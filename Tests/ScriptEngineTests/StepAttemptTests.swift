import CoordinatorKit
import Forms
import ScriptEngine
import Testing

/// The number of times that a step is begun, in cases that the vectors cannot express: administrators, and lost secrets.
@Suite("How often a step is begun", .timeLimit(.minutes(1)))
struct StepAttemptTests {
  private static let source = ScriptSource(now: 1_700_000_000_000_000, random: { 0.5 }, uuid: { "uuid" })

  /// Returns a log whose step has begun after these entries, with its piece of work.
  private func begun(_ request: StepRequest, after entries: String = "") throws -> (ScriptLog, String) {
    var log = try ScriptLog(json: JSONValue(parsing: #"{"format": "script/1", "entries": [\#(entries)]}"#.utf8))
    let index = log.entries.count
    #expect(log.take(ScriptOperation("do", .step(request)), at: index, from: Self.source) == .waiting)
    let work = try #require(log.startWork().first)
    let step = log.begin(index)
    #expect(step?.attempts == 1)
    return (log, work.id)
  }

  @Test("A step that is to be tried again with secrets that no form has brought is recorded as failed")
  func lostSecretIsRecorded() throws {
    var (log, work) = try begun(StepRequest(mostAttempts: 3))
    log.entries[0].changeStep { $0.secrets = ["pin"] }
    #expect(log.workHasEnded(work, .failed(StepError(type: "exit", message: "no"))) == .tryAgain(entry: 0))
    let verdict = log.lacksSecrets(0)
    #expect(verdict == .goOn(entry: 0))
    let started = log.startWork()
    #expect(started.isEmpty)
    guard case .failed(let error) = log.entries[0].step?.ending else {
      Issue.record("the step has not failed: \(log.text)")
      return
    }
    #expect(error.type == "SecretSpent")
  }

  @Test("A step that cannot have a secret learns its name, why it is gone, and what to do")
  func missingSecretIsExplained() throws {
    let form = #"{"kind": "ask", "key": "login", "digest": "d", "answer": {"event": "go", "payload": {"pin": {"secret": true}}}}"#
    var (log, work) = try begun(StepRequest(secrets: ["pin"]), after: form)
    #expect(log.workHasEnded(work, .done(.null)) == .goOn(entry: 1))
    func complaint(_ names: String...) -> String? {
      var log = log
      #expect(log.take(ScriptOperation("use", .step(StepRequest(secrets: names))), at: 2, from: Self.source) == .recorded)
      return log.entries[2].complaint
    }
    #expect(
      complaint("pin") == """
        the step 'use' has failed: the secret 'pin' is gone, because only the first step after its form can take it, which was \
        'do'; ask for it again before this step, or do both in one step
        """)
    #expect(
      complaint("key", "pin")
        == "the step 'use' has failed: no form has brought a secret 'key'; ask for it before this step")
    #expect(log.entries[1].complaint == nil)
  }

  @Test("A step that an administrator has dropped may be begun as often as before")
  func droppedStepBeginsAnew() throws {
    let sure = #"{"kind": "ask", "key": "sure", "digest": "d", "answer": {"event": "yes", "payload": {}}}"#
    var (log, _) = try begun(StepRequest(isOnce: true), after: sure)
    let isDropped = log.dropLast()
    #expect(isDropped)
    #expect(log.entries.isEmpty && log.begun.isEmpty)
  }

  @Test("A notice that a newer version has written is left out, and the others are read")
  func unknownNotice() throws {
    let text = """
      {"format": "script/1", "entries": [], "notices": [{"level": "info", "code": "new", "text": "New."}, \
      {"level": "warning", "code": "secret-lost", "text": "Please enter the secret again."}]}
      """
    let log = try ScriptLog(json: JSONValue(parsing: text.utf8))
    #expect(log.notices == [.secretLost])
    #expect(try ScriptLog(json: JSONValue(parsing: log.text.utf8)) == log)
  }
}
