import CoordinatorKit
import Forms
import ScriptEngine

/// Decides the answer to one event for a script: records the event, lets the script continue, and returns the screens and
/// operations that result.
struct Decider {
  /// How long a script may compute until its next operation. After that, it continues as work.
  private static let patience = Duration.seconds(1)
  /// The maximum number of bytes of an answer, as JSON, that the commands of a script can take. A word of a command line is
  /// limited to 128 KiB (`MAX_ARG_STRLEN` in linux/binfmts.h), and a script adds text to an answer. With a longer word, the
  /// shell does not execute `ask`, and continues as if the user had answered no.
  private static let maxAnswer = 64 << 10

  private let script: Script
  private let question: FlowQuestion
  private let runs: ScriptRuns

  init(_ script: Script, _ question: FlowQuestion, _ runs: ScriptRuns) {
    (self.script, self.question, self.runs) = (script, question, runs)
  }

  /// Returns the answer.
  func answer() async -> FlowAnswer {
    await speaking(question.context.language) { await answerInLanguage() }
  }

  private func answerInLanguage() async -> FlowAnswer {
    do {
      return try await decided()
    } catch {
      let failure = ScriptFailure(error, of: script)
      runs.tell(failure, of: path)
      return failure.answer
    }
  }

  /// Runs a closure in a language, in which this program words what the script does not.
  private func speaking<Result>(_ language: String?, _ body: () async throws -> Result) async rethrows -> Result {
    let found = language.flatMap { try? LanguageTag($0) }.flatMap(runs.translations.language(for:))
    return try await Translation.$current.withValue(found, operation: body)
  }

  private var name: String { question.instance.name }
  private var path: CoordinatorPath { question.instance.path }

  private func decided() async throws -> FlowAnswer {
    guard !isAnswerTooLarge else {
      return .refused(.limitExceeded("an answer to a script must not be larger than \(Self.maxAnswer >> 10) KiB"))
    }
    var log = try oldLog()
    let old = question.event == .start ? nil : log
    var live = runs.cache.borrow(name)
    defer { runs.cache.giveBack(name) }
    if let found = live, found.isUnderWay, found.state == question.state, question.event.canWait {
      // A change of the screen must not interrupt the work under way.
      runs.cache.put(found, for: name)
      return .decided(FlowDecision(state: question.state))
    }
    if question.event == .language, let found = live, isUsable(found) {
      // The run itself has set the language, and goes on in it.
      runs.cache.put(found, for: name)
      return .decided(FlowDecision(state: question.state))
    }
    let (verdict, over) = verdict(in: &log)
    if case .goOn(let entry) = verdict { log.describeAnswer(at: entry, to: live?.screens.questions[log.entries[entry].key]) }
    if let answer = answerWithoutChange(verdict) {
      if let live { runs.cache.put(live, for: name) }
      return answer
    }
    do {
      try holdDead(&log)
    } catch {
      live?.run.stop(.held)
      throw error
    }
    if let found = live, !isUsable(found) {
      found.run.stop(found.digest != script.digest ? .changed : .evicted)
      live = nil
    }
    if let answer = try carryOut(verdict, recordedIn: log, by: &live) { return answer }
    (log.version, log.digest) = (script.version, script.digest)
    let session = RunSession(script, question, runs, log, live, wasSlow: old?.running != nil)
    // What is done beside that has its own news.
    if case .goOn(let entry) = verdict, live != nil, log.waits(at: entry) { return try finish(session, old, over) }
    switch verdict {
    case .tryAgain where live != nil, .stop: return try finish(session, old, over)
    default: break
    }
    return try await goOn(session, old, over)
  }

  /// Whether the commands of the script cannot take the answer that the event brings.
  private var isAnswerTooLarge: Bool {
    guard script.kind == .processes, case .event(_, _, let payload, _) = question.event else { return false }
    return JSONValue.object(payload).text(omittingNulls: false).utf8.count > Self.maxAnswer
  }

  /// Records the event, and decides on its consequence.
  ///
  /// - Parameter log: the log, in which the event is then recorded.
  /// - Returns: the decision, and the work that is over because of it; nil if none is.
  private func verdict(in log: inout ScriptLog) -> (EventVerdict, over: String?) {
    let isChange = question.event != .start && log.followChange(to: question.shownBefore)
    let (verdict, over) = recordedVerdict(in: &log)
    return (isChange ? verdict.rerunning : verdict, over)
  }

  private func recordedVerdict(in log: inout ScriptLog) -> (EventVerdict, over: String?) {
    let (verdict, over) =
      runs.notes.takesDrop(instead: question) ? log.dropLast(insteadOf: question.event) : log.take(question.event)
    guard case .tryAgain(let entry) = verdict, !Set(log.secretsOfForms(for: entry)).isSubset(of: question.context.secrets)
    else { return (verdict, over) }
    return (log.lacksSecrets(entry), over)
  }

  /// Returns the answer if an event changes neither the log nor the run; nil if it changes them.
  private func answerWithoutChange(_ verdict: EventVerdict) -> FlowAnswer? {
    switch verdict {
    case .nothing: .decided(FlowDecision(state: question.state))
    case .refused(let reason): .refused(.denied(reason))
    default: nil
    }
  }

  /// Tells the run the decision about the event, or stops the run.
  ///
  /// - Parameters:
  ///   - verdict: the decision.
  ///   - log: the log with the event.
  ///   - live: the run that is kept; then nil if another one is needed.
  /// - Returns: the answer; nil if the script goes on.
  /// - Throws: ``ScriptCrash`` if the script cannot take the result of its child.
  private func carryOut(
    _ verdict: EventVerdict, recordedIn log: ScriptLog, by live: inout LiveRun?
  ) throws(ScriptCrash) -> FlowAnswer? {
    switch verdict {
    case .noted: return noted(log, live)
    case .end(let end):
      live?.run.stop(.cancelled)
      return ended(end)
    case .rerun(let reason):
      live?.run.stop(reason == .back ? .back : .evicted)
      live = nil
    case .goOn(let entry):
      // A new run asks again, perhaps for fewer members: its script may have been corrected.
      if live != nil, let crash = log.unprintable(at: entry) { throw crash }
      live?.run.tell(.recorded(log.entries[entry]), entry: entry)
    case .stop(let entries): for entry in entries { live?.run.tell(.terminate, entry: entry) }
    case .nothing, .refused, .goOnRunning, .tryAgain: break
    }
    return nil
  }

  /// Stores the log with an event that no run waits for. The run is kept, and goes on with this log.
  private func noted(_ log: ScriptLog, _ live: LiveRun?) -> FlowAnswer {
    var log = log
    log.note(question.context.now)
    let decision = FlowDecision(state: log.text)
    if var live {
      (live.state, live.log) = (decision.state, log)
      runs.cache.put(live, for: name)
    }
    return .decided(decision)
  }

  /// Lets the script go on to its next operation, or to its end.
  private func goOn(_ session: RunSession, _ old: ScriptLog?, _ over: String?) async throws -> FlowAnswer {
    var session = session
    let log = session.log
    do {
      if let end = try await session.advance(until: .now + Self.patience) {
        session.run?.stop(.finished)
        return await speaking(session.language) { ended(end, session) }
      }
    } catch {
      session.run?.stop(.held)
      guard let old, let running = old.running, over == running else { throw error }
      return try stumble(error, session, log, old)
    }
    return try await speaking(session.language) { try finish(session, old, over) }
  }

  /// Stores that a slow run has failed. Otherwise the daemon would ask again, and the next run would be slow again before it
  /// fails.
  private func stumble(_ error: any Error, _ session: RunSession, _ log: ScriptLog, _ old: ScriptLog) throws -> FlowAnswer {
    let reason = "\(error)"
    runs.tell(ScriptFailure(error, of: script), of: path)
    var log = log
    log.hasStumbled(reason, isMisfit: error is HeldScript)
    return try finish(session.failed(with: log), old, old.running)
  }

  /// Ends the flow with the end of the script. The reason of a failure is for the author.
  private func ended(_ end: ScriptEnd, _ session: RunSession? = nil) -> FlowAnswer {
    // A script may only set the language, for the flow that has started it.
    func decided(_ operation: FlowDecision.Operation) -> FlowAnswer {
      .decided(FlowDecision(state: question.state, operations: (session?.languageOperations ?? []) + [operation]))
    }
    switch end {
    case .finish(let result): return decided(.finish(result, secrets: [:]))
    case .cancel: return decided(.cancel)
    case .fail(let code, let message): return .failed(Failure(code: code, message: message))
    case .broken(let breakdown):
      runs.tell(ScriptFailure(breakdown, of: script), of: path)
      // A person who plays a script is its author.
      let message = runs.starter.isPlaying ? breakdown.reason : breakdown.sentence.string
      return .failed(Failure(code: breakdown.code, message: message))
    case .again: return .trouble(.failed("a log that begins anew has not ended"))
    }
  }

  private func isUsable(_ live: LiveRun) -> Bool {
    live.state == question.state && live.digest == script.digest && live.language == question.context.language
  }

  /// Throws if the script has failed too often, so that the flow is held until the script changes or a client retries it.
  private func holdDead(_ log: inout ScriptLog) throws(HeldScript) {
    guard log.digest == script.digest, !question.context.isRetried else { return log.forgiveDeaths() }
    let tree = question.instance.path.root
    let advice = "When the cause is gone: coordinatorctl provider retry \(tree), or dismiss it."
    if let stumbles = log.lastStumble {
      guard !stumbles.isMisfit else { throw HeldScript(description: stumbles.reason) }
      throw HeldScript(
        description: "\(script.file): the script has failed \(stumbles.count) times before its next operation:"
          + " \(stumbles.reason). \(advice)")
    }
    if let step = log.deadStep {
      throw HeldScript(
        description: "\(script.file): the script's process has ended \(ScriptLog.maxDeaths) times in \(step.body.word)"
          + " \"\(step.key)\" of \(tree). \(advice)")
    }
  }

  private func oldLog() throws(UnreadableLog) -> ScriptLog {
    if question.event == .start { return ScriptLog(input: question.context.input) }
    guard let json = try? JSONValue(parsing: question.state.utf8) else {
      throw UnreadableLog("the log of \(name) cannot be read")
    }
    return try ScriptLog(json: json)
  }

  private func finish(_ session: RunSession, _ old: ScriptLog?, _ over: String?) throws -> FlowAnswer {
    var log = session.log
    log.note(question.context.now)
    var started: [StartedWork] = []
    if session.isSlow {
      let id = log.nextWork(.run)
      log.running = id
      started.append(StartedWork(id: id, kind: .run, entry: log.entries.count))
    } else {
      log.stumbles = nil
      runs.notes.hasGoneOn(path.description)
    }
    // A step that the script has not asked for yet cannot be performed by its run.
    for work in session.isSlow ? [] : log.startWork() {
      // The number of attempts is stored before the step begins.
      if work.kind == .step { _ = log.begin(work.entry) }
      started.append(work)
    }
    var decision = log.decision(
      from: old, over: over, starting: started, shown: question.context.screens, children: question.context.children,
      screens: session.screens, title: script.title)
    guard decision.state.utf8.count <= ScriptLog.maxSize else {
      session.run?.stop(.finished)
      return ended(.broken(Breakdown("too-long", "the log of this script has more than \(ScriptLog.maxSize) bytes")))
    }
    decision.operations = session.languageOperations + secretOperations(log, old) + decision.operations
    runs.results.keep(only: log.neededResults, of: name)
    if let run = session.run {
      runs.cache.put(
        LiveRun(
          run: run, flow: script.name, digest: script.digest, language: session.language, state: decision.state,
          log: log, screens: session.screens), for: name)
    }
    return .decided(decision)
  }

  /// Keeps the secrets that came with an answer until the first step after it, and no longer.
  private func secretOperations(_ log: ScriptLog, _ old: ScriptLog?) -> [FlowDecision.Operation] {
    var operations: [FlowDecision.Operation] = []
    var kept = Set(question.context.secrets)
    if case .event(_, _, _, let secrets) = question.event, !secrets.isEmpty, log != old {
      operations.append(.keepSecrets(Dictionary(uniqueKeysWithValues: secrets.map { ($0, $0) })))
      kept.subtract(secrets)
    }
    let needed = log.neededSecrets
    let spare = kept.subtracting(needed)
    if !spare.isEmpty { operations.append(.forgetSecrets(spare.sorted())) }
    return operations
  }
}

extension FlowQuestion {
  /// The keys of the screens before the event, bottom first.
  fileprivate var shownBefore: [String] {
    if case .back(let left) = event { context.screens + [left] } else { context.screens }
  }
}

extension FlowQuestion.Event {
  /// Whether the event can safely be dropped while the run is busy.
  fileprivate var canWait: Bool {
    switch self {
    case .language, .migrate, .looking: true
    default: false
    }
  }
}
