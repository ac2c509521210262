import CoordinatorKit
import Forms
import ScriptEngine
import Testing

/// The logs of scripts whose users stop a step, change an earlier answer, or whose steps make secrets.
@Suite("What users do while a script works, and after it has asked", .timeLimit(.minutes(1)))
struct StepStopTests {
  private static let source = ScriptSource(now: 1_700_000_000_000_000, random: { 0.5 }, uuid: { "uuid" })
  private static let asked = #"{"kind": "ask", "key": "sure", "digest": "d", "answer": {"event": "yes", "payload": {}}}"#

  private func log(_ entries: String...) throws -> ScriptLog {
    try ScriptLog(
      json: JSONValue(parsing: #"{"format": "script/1", "entries": [\#(entries.joined(separator: ","))]}"#.utf8))
  }

  /// Returns a log whose step has begun after a question, with its piece of work.
  private func begun(_ request: StepRequest) throws -> (ScriptLog, String) {
    var log = try log(Self.asked)
    #expect(log.take(ScriptOperation("erase", .step(request)), at: 1, from: Self.source) == .waiting)
    let work = try #require(log.startWork().first)
    _ = log.begin(1)
    return (log, work.id)
  }

  /// Returns the topmost screen of a log.
  private func screen(_ log: ScriptLog, asking screen: Screen? = nil) -> Screen? {
    var screens = RunScreens()
    let question = screen ?? Screen.menu("sure", title: "Erase it?", choices: [Action("yes", "Yes"), .cancel("cancel", "Leave")])
    screens.questions["sure"] = Question(screen: question, digest: "d")
    let decision = log.decision(from: nil, starting: [], shown: ["sure"], screens: screens, title: "Erase a disk")
    return decision.screens["#working"]?.content ?? decision.screens["sure"]?.content
  }

  @Test("Work has its own screen: the text as its heading, and Stop only where the script can be stopped")
  func workHasScreen() throws {
    var (log, _) = try begun(StepRequest(busy: "Erasing", isStoppable: true))
    let shown = try #require(screen(log))
    #expect(shown.kind == .progress && shown.title == "Erasing" && shown.body.isEmpty)
    #expect(shown.actions.map(\.id) == ["stop", "cancel"])
    #expect(log.answer("stop", [:], secrets: [], on: "#working") == .stop(entries: [1]))
    #expect(screen(log)?.actions.map(\.title) == ["Stop at once", "Leave"])
    #expect(screen(log)?.progress?.text == "Stopping…")
    #expect(try screen(begun(StepRequest(busy: "Erasing")).0)?.actions.map(\.id) == ["cancel"])
  }

  @Test("Work without a text keeps the title of its question, which offers nothing but to cancel")
  func questionIsAnswered() throws {
    var log = try begun(StepRequest()).0
    log.entries[1].changeStep { $0.attempts = 1 }
    let shown = try #require(screen(log))
    #expect(shown.kind == .progress && shown.title == "Erase it?" && shown.actions.map(\.id) == ["cancel"])
    #expect(shown.progress != nil && shown.defaultChoice == nil)
    let form = Screen.form(
      "sure", title: "Who?", form: Form(Field("name", .string(title: "Name"))), actions: [.primary("go", "Go")])
    let filled = try #require(screen(log, asking: form))
    #expect(filled.kind == .form && filled.actions.isEmpty && filled.progress != nil)
  }

  @Test("What is not stoppable cannot be stopped, and what does not end can be stopped again")
  func stopIsRefused() throws {
    var log = try begun(StepRequest(busy: "Erasing")).0
    #expect(log.answer("stop", [:], secrets: [], on: "#working") == .refused("nothing can be stopped at the moment"))
    var stoppable = try begun(StepRequest(isStoppable: true)).0
    #expect(stoppable.answer("stop", [:], secrets: [], on: "sure") == .refused("this question is not open"))
    #expect(stoppable.answer("stop", [:], secrets: [], on: "#working") == .stop(entries: [1]))
    #expect(stoppable.answer("stop", [:], secrets: [], on: "#working") == .stop(entries: [1]))
    #expect(try ScriptLog(json: stoppable.json) == stoppable)
  }

  @Test("A question whose way out has the same ID as Stop is cancelled only where nothing can be stopped")
  func idsAreEqual() throws {
    let asked = #"{"kind": "ask", "key": "sure", "digest": "d", "cancels": ["stop"], "answer": {"event": "yes", "payload": {}}}"#
    for isStoppable in [true, false] {
      var log = try log(asked)
      #expect(
        log.take(ScriptOperation("erase", .step(StepRequest(isStoppable: isStoppable))), at: 1, from: Self.source) == .waiting)
      let verdict = log.answer("stop", [:], secrets: [], on: "#working")
      #expect(verdict == (isStoppable ? .stop(entries: [1]) : .end(.cancel)))
    }
  }

  @Test("A stopped step is not tried again, and its command decides how it has ended")
  func stoppedStepIsNotRetried() throws {
    var (log, work) = try begun(StepRequest(mostAttempts: 3, isStoppable: true))
    _ = log.answer("stop", [:], secrets: [], on: "#working")
    var done = log
    #expect(done.workHasEnded(work, .done(["status": 0, "output": ""])) == .goOn(entry: 1))
    #expect(log.workHasEnded(work, .failed(StepError(type: "exit", message: "no", rest: ["status": 143]))) == .goOn(entry: 1))
    #expect(log.backTarget == .cut(to: 0), "a step that was stopped is no barrier")
  }

  @Test("A stopped step that was interrupted waits until nothing of its run is left, and stays stopped")
  func stoppedStepIsInterrupted() throws {
    var (log, work) = try begun(StepRequest(isStoppable: true))
    _ = log.answer("stop", [:], secrets: [], on: "#working")
    #expect(log.workWasInterrupted(work) == .rerun(.interrupted))
    #expect(log.entries[1].step?.ending == nil && log.entries[1].step?.isStopped == true)
  }

  // MARK: Reviews

  private static let size =
    #"{"kind": "ask", "key": "size", "digest": "d", "answer": {"event": "large", "payload": {}}, "text": "Large"}"#
  private static let who = #"{"kind": "ask", "key": "who", "digest": "d", "answer": {"event": "go", "payload": {"name": "Ada"}}}"#
  private static let check = #"{"kind": "ask", "key": "check", "digest": "d"}"#

  @Test("A review shows the latest answers since the last step, and none of an earlier review")
  func reviewShowsAnswers() throws {
    let step = #"{"kind": "step", "key": "do", "attempts": 1, "result": null}"#
    let corrected = #"{"kind": "ask", "key": "who#2", "digest": "d", "corrects": true, "answer": {"event": "go", "payload": {}}}"#
    let earlier = #"{"kind": "ask", "key": "check", "digest": "d", "answer": {"event": "again", "payload": {}}, "text": "Again"}"#
    let now = #"{"kind": "ask", "key": "check#2", "digest": "d"}"#
    let log = try log(Self.asked, step, Self.size, Self.who, earlier, corrected, now)
    var screens = RunScreens()
    var question = Question(screen: .message("check", title: "Right?", actions: [.primary("go", "Go")]), digest: "d")
    question.isReview = true
    screens.questions["check#2"] = question
    let rows = log.shown("check#2", screens)?.content.review ?? []
    #expect(rows == [ReviewRow(key: "size", value: "Large"), ReviewRow(key: "who#2")])
  }

  @Test("What an answer has chosen is cut in a review, with a mark, if it is long")
  func longAnswerIsCut() throws {
    for (count, ends) in [(100, "t"), (101, "…")] {
      var log = try log(Self.size, Self.check)
      let title = Text(verbatim: String(repeating: "ti", count: count - 1) + "it")
      let question = Question(
        screen: .menu("size", title: "Size", choices: [Action("large", title), Action("small", "Small")]), digest: "d")
      log.describeAnswer(at: 0, to: question)
      let text = try #require(log.entries[0].ask?.text)
      #expect(text.hasSuffix(ends) && text.unicodeScalars.count == min(2 * count, 201))
    }
  }

  @Test("A changed answer takes back what has followed it, and what it was is suggested")
  func answerIsChanged() throws {
    var log = try log(Self.size, Self.who, Self.check)
    let isChange = log.followChange(to: ["size"])
    #expect(isChange)
    #expect(log.answer("small", [:], secrets: [], on: "size") == .goOn(entry: 0))
    #expect(log.entries.map(\.key) == ["size"])
    #expect(log.suggestions["who"] == .event("go", ["name": "Ada"]))
  }

  @Test("Nothing is taken back while the last question is shown, or if a step has followed the answer")
  func nothingIsChanged() throws {
    let open = try log(Self.size, Self.who, Self.check)
    #expect(!changes(open, ["size", "who", "check"]))
    #expect(!changes(open, ["other"]))
    #expect(!changes(open, []))
    let step = #"{"kind": "step", "key": "do", "attempts": 1, "result": null, "undo": ["true"]}"#
    let done = try log(Self.size, step, Self.check)
    #expect(!changes(done, ["size"]))
    #expect(open.entries.count == 3 && done.entries.count == 3)
  }

  private func changes(_ log: ScriptLog, _ shown: [String]) -> Bool {
    var log = log
    return log.followChange(to: shown)
  }

  @Test("The text of an answer is what was chosen, as the user has read it; a form has none")
  func answerHasText() throws {
    var log = try log(Self.size)
    log.describeAnswer(
      at: 0,
      to: Question(
        screen: .menu("size", title: "Size", choices: [Action("large", "Big"), Action("small", "Small")]), digest: "d"))
    #expect(log.entries[0].ask?.text == "Big")
    log.describeAnswer(
      at: 0, to: Question(screen: .message("size", title: "Size", actions: [.primary("large", "Big")]), digest: "d"))
    #expect(log.entries[0].ask?.text == nil)
  }

  // MARK: Secrets that steps make

  private static let made = #"{"kind": "step", "key": "token", "attempts": 1, "secret-result": true, "result": {"secret": true}}"#

  @Test("The secret result of a step is for the next step, and is kept by the engine, not by the daemon")
  func resultIsSecret() throws {
    let form = #"{"kind": "ask", "key": "login", "digest": "d", "answer": {"event": "go", "payload": {"pin": {"secret": true}}}}"#
    var log = try log(Self.made, form)
    #expect(log.neededSecrets == ["token", "pin"])
    #expect(
      log.take(ScriptOperation("use", .step(StepRequest(secrets: ["token", "pin"]))), at: 2, from: Self.source) == .waiting)
    #expect(log.secretsOfForms(for: 2) == ["pin"])
    let work = try #require(log.startWork().first)
    #expect(log.workHasEnded(work.id, .done(.null)) == .goOn(entry: 2))
    #expect(log.neededSecrets.isEmpty)
    #expect(log.take(ScriptOperation("late", .step(StepRequest(secrets: ["token"]))), at: 3, from: Self.source) == .recorded)
    #expect(
      log.entries[3].complaint == """
        the step 'late' has failed: the secret 'token' is gone, because only the first step after the one that has made it can \
        take it, which was 'use'; make it again before this step, or do both in one step
        """)
  }

  @Test("Steps that make secrets one after the other pass all of them, and a step that Back undoes finds them again")
  func severalResults() throws {
    let second = #"{"kind": "step", "key": "key", "attempts": 1, "secret-result": true, "result": {"secret": true}}"#
    var log = try log(Self.made, second)
    let request = StepRequest(secrets: ["token", "key"], undo: .byScript)
    #expect(log.take(ScriptOperation("use", .step(request)), at: 2, from: Self.source) == .waiting)
    #expect(log.secretsOfForms(for: 2).isEmpty)
    #expect(log.lack(of: ["token"], before: 2).message.contains("was lost, because the engine has restarted"))
    let work = try #require(log.startWork().first)
    #expect(log.workHasEnded(work.id, .done(.null)) == .goOn(entry: 2))
    #expect(log.neededResults == ["token", "key"] && log.neededSecrets.isEmpty)
  }

  @Test("The text of an empty choice is a dash, and that of a form the action that was chosen instead")
  func emptyAnswersHaveText() throws {
    let none = #"{"kind": "ask", "key": "rows", "digest": "d", "answer": {"event": "select", "payload": {"ids": []}}}"#
    let left = #"{"kind": "ask", "key": "who", "digest": "d", "answer": {"event": "skip", "payload": {}}}"#
    var log = try log(none, left)
    log.describeAnswer(at: 0, to: Question(screen: .list("rows", title: "Rows", items: []).choosing(0...2), digest: "d"))
    #expect(log.entries[0].ask?.text == "–")
    let actions: [Action] = [.primary("go", "Go"), Action("skip", "Skip it")]
    let form = Screen.form("who", title: "Who?", form: Form(Field("name", .string(title: "Name"))), actions: actions)
    log.describeAnswer(at: 1, to: Question(screen: form, digest: "d"))
    #expect(log.entries[1].ask?.text == "Skip it")
  }

  @Test("A form's secret that a step has not taken which makes one is gone, and that step is named")
  func formSecretIsGone() throws {
    let form = #"{"kind": "ask", "key": "login", "digest": "d", "answer": {"event": "go", "payload": {"pin": {"secret": true}}}}"#
    #expect(try log(form, Self.made).lack(of: ["pin"], before: 2).message.contains("which was 'token'"))
  }

  @Test("A step that fails has made no secret")
  func failedResultIsNoSecret() throws {
    let failed =
      #"{"kind": "look", "key": "token", "secret-result": true, "error": {"type": "exit", "message": "no", "status": 1, "output": ""}}"#
    #expect(try log(failed).neededSecrets.isEmpty)
  }
}
