import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import RendererKit
import ScriptEngine

/// A run of a script in the kit's flow tree, which advances from question to question.
struct PlayedRun {
  private let scripts: LocalScripts
  private let explorer: FlowExplorer
  private var run: FlowRun
  /// Receives a line about each step, look and child.
  private let note: @Sendable (String) -> Void
  /// Whether all processes are killed after each event, and once in the middle of each step.
  private let crashes: Bool
  /// Where the next step crashes, once; nil if it does not.
  private var crash: SteeringRequest.CrashPoint?
  /// Whether timers end by themselves.
  private let firesTimers: Bool
  /// The steps that were interrupted once.
  private var cutShort: Set<String> = []
  /// The attempts at each step that were performed to their end.
  private var attempts: [String: [UInt64]] = [:]
  /// The number of events.
  private(set) var turns = 0
  /// How the flow has ended; nil if it has not.
  private(set) var outcome: Outcome?
  /// The decisions that have ended coordinators, in order.
  private(set) var endings: [DecidedEvent] = []

  private init(_ scripts: LocalScripts, _ flow: String, crashes: Bool, _ note: @escaping @Sendable (String) -> Void) {
    (self.scripts, self.crashes, self.note, firesTimers) = (scripts, crashes, note, true)
    scripts.keepRuns(crashes)
    explorer = FlowExplorer(flow, playing: scripts)
    run = FlowRun(of: explorer)
  }

  /// Creates a run that a test steers: it continues from a state, or has yet to be started.
  ///
  /// - Parameters:
  ///   - explorer: the settings of the run; its start is the time at which the run continues.
  ///   - scripts: the scripts.
  ///   - state: the state; nil for a flow that has yet to be started.
  ///   - crash: where the next step crashes; nil if it does not.
  init(
    steering explorer: FlowExplorer, in scripts: LocalScripts, from state: TreeState?, crash: SteeringRequest.CrashPoint?
  ) {
    (self.scripts, self.explorer, self.crash) = (scripts, explorer, crash)
    (crashes, firesTimers, note) = (false, false, { _ in })
    scripts.crashBeforeStep(crash == .beforeStep)
    _ = scripts.takeJournal()
    run = FlowRun(of: explorer, continuing: state)
  }

  /// Starts a flow, and advances to its first question.
  ///
  /// - Throws: ``PlayProblem``.
  static func start(
    _ flow: String, input: [String: JSONValue], in scripts: LocalScripts, crashes: Bool = false,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(PlayProblem) -> PlayedRun {
    var played = PlayedRun(scripts, flow, crashes: crashes, note)
    try await played.start(flow, input: input)
    return played
  }

  /// Starts the flow, and advances to its first question.
  ///
  /// - Throws: ``PlayProblem``.
  mutating func start(_ flow: String, input: [String: JSONValue]) async throws(PlayProblem) {
    if let error = await run.start(flow, input: input) {
      guard case .failed(let failure) = error else { throw PlayProblem(error) }
      outcome = .failed(failure)
      noteJournal()
      return
    }
    try await settle()
  }

  /// The state of the flow.
  var state: TreeState { get async { await run.state } }

  /// The open question; nil if there is none.
  var question: PlayedQuestion? { get async { outcome == nil ? PlayedQuestion(await run.state) : nil } }

  /// The steps that were performed twice with the same attempt number, which no other system could detect.
  var repeated: [String] { attempts.filter { Set($0.value).count < $0.value.count }.keys.sorted() }

  /// Makes a user's move.
  ///
  /// - Parameters:
  ///   - move: the move.
  ///   - whenValid: called before the move has effects.
  /// - Throws: `InvalidAnswer` if a form does not accept its values: nothing has changed; ``PlayProblem``.
  mutating func make(_ move: PlayedMove, whenValid: () -> Void = {}) async throws {
    let answer = await make(move.kind)
    if case .refused(.invalidPayload(let reasons)) = answer { throw InvalidAnswer(reasons: reasons) }
    if case .refused(.refused(.invalidPayload(let reasons))) = answer { throw InvalidAnswer(reasons: reasons) }
    whenValid()
    try check(answer)
    try await settle()
  }

  /// The time of the flow.
  var now: Timestamp { scripts.clock.time(after: run.now) }

  /// Advances the clock: timers end in their order.
  ///
  /// - Parameter end: the new time.
  /// - Throws: ``PlayProblem``.
  mutating func advance(to end: Timestamp) async throws(PlayProblem) {
    while outcome == nil, let due = await run.state.nextDue, due <= end {
      try check(await make(.timerFires))
      try await settle()
    }
    run.advance(to: end)
  }

  /// Kills all processes, and restarts from the stored state: secrets are lost.
  ///
  /// - Throws: ``PlayProblem``.
  mutating func restart() async throws(PlayProblem) {
    try await crashAndRestart()
    try await settle()
  }

  private mutating func crashAndRestart() async throws(PlayProblem) {
    scripts.kill()
    let (state, old) = (await run.state, run)
    var explorer = explorer
    explorer.startTime = now
    do {
      run = try await FlowRun(of: explorer, restarting: state)
    } catch {
      throw PlayProblem("\(error)")
    }
    old.close()
  }

  /// Advances to the next question or the end: work ends in the order in which it was started, then timers end.
  private mutating func settle() async throws(PlayProblem) {
    while true {
      noteJournal()
      let state = await run.state
      if let reason = state.holdReason { throw PlayProblem(reason) }
      guard state.isAlive else {
        outcome = state.outcomes[state.root]
        return
      }
      if crash == .beforeStep, !scripts.crashesBeforeStep {
        crash = nil
        // Other coordinators have lost their secrets, too.
        if state.coordinatorsInOrder.contains(where: { !$0.secretNames.isEmpty }) {
          try await crashAndRestart()
          continue
        }
      }
      if !state.ordered.isEmpty {
        try await performWork(in: state)
        continue
      }
      // A run that waits for its step is interrupted with it.
      if crashes { scripts.kill() }
      guard firesTimers, PlayedQuestion(state) == nil, state.nextDue != nil else { return }
      try check(await make(.timerFires))
    }
  }

  /// Performs all work that was ordered, side by side, or interrupts it once.
  private mutating func performWork(in state: TreeState) async throws(PlayProblem) {
    if crashes, let cut = state.ordered.first(where: { isCutShort($0.work, of: $0.owner) }) {
      scripts.kill()
      return try check(await make(.workEnds(cut.id, of: cut.owner.path, as: { .cutShort })))
    }
    for (owner, _, work) in state.ordered {
      guard let name = StandIn.name(in: work.argument), scripts.stubs.commands[name] == nil else { continue }
      throw PlayProblem(noScript: owner.flow)
    }
    let isCut = crash != nil && crash != .beforeStep && state.ordered.contains { $0.owner.log?.isStep($0.work) == true }
    var ends: [WorkID: ProvidedWork.End] = [:]
    if !isCut || crash == .afterStep { ends = try await performed(state.ordered) }
    if isCut {
      crash = nil
      try await crashAndRestart()
      let works = state.ordered.filter { StandIn.name(in: $0.work.argument) == nil }
      ends = Dictionary(uniqueKeysWithValues: works.map { ($0.id, .cutShort) })
    }
    for (owner, id, work) in state.ordered {
      // The end of one piece of work may have made this one obsolete.
      guard let end = ends[id], await run.state.ordered.contains(where: { $0.id == id }) else { continue }
      if let entry = owner.log?.entry(of: work.id), owner.log?.isStep(work) == true {
        attempts["\(owner.instance.name)/\(entry.key)", default: []].append(entry.step?.attempts ?? 0)
      }
      try check(await make(.workEnds(id, of: owner.path, as: { end })))
      noteJournal()
    }
  }

  private func performed(
    _ ordered: [(owner: CoordinatorRecord, id: WorkID, work: ProvidedWork)]
  ) async throws(PlayProblem) -> [WorkID: ProvidedWork.End] {
    let results = await withTaskGroup { [scripts] group in
      for (owner, id, work) in ordered {
        group.addTask { () -> (WorkID, Result<ProvidedWork.End, UnendedWork>) in
          do throws(UnendedWork) {
            return (id, .success(try await scripts.perform(work, of: owner, within: scripts.workLimit)))
          } catch {
            return (id, .failure(error))
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    do throws(UnendedWork) {
      var ends: [WorkID: ProvidedWork.End] = [:]
      for (id, result) in results { ends[id] = try result.get() }
      return ends
    } catch {
      throw PlayProblem(error)
    }
  }

  /// Whether a step or a look is interrupted: each one is, once, if it allows that.
  private mutating func isCutShort(_ work: ProvidedWork, of owner: CoordinatorRecord) -> Bool {
    guard WorkKind(ofWork: work.id) == .step, let entry = owner.log?.entry(of: work.id), let step = entry.step, !step.isOnce,
      step.mostAttempts != 1
    else { return false }
    return cutShort.insert("\(owner.instance.name)/\(entry.key)").inserted
  }

  private mutating func make(_ kind: FlowMove.Kind) async -> FlowRun.Answer {
    turns += 1
    run.advance(to: now)
    return await run.make(kind)
  }

  private func check(_ answer: FlowRun.Answer) throws(PlayProblem) {
    switch answer {
    case .taken, .refused(.failed): break
    case .refused(let error): throw PlayProblem(error)
    case .stuck: throw PlayProblem("the flow does not go on")
    }
  }

  /// Reports all decisions.
  private mutating func noteJournal() {
    for decided in scripts.takeJournal() {
      if decided.outcome != nil { endings.append(decided) }
      switch decided.event {
      case .workEnded(let id, let end):
        guard let entry = decided.logBefore?.entry(of: id), let step = entry.step else { continue }
        let isUndo = WorkKind(ofWork: id) == .undo
        let what = isUndo ? "undo" : step.isLook ? "look" : "step"
        let again = step.attempts > 1 && !isUndo ? " (attempt \(step.attempts))" : ""
        note("\(what) \(entry.key)\(again) ▸ \(end.summary)".printable)
      case .childEnded(let child, let outcome, _):
        let entry = decided.logBefore?.entries.first {
          $0.isOpen && $0.child?.flow == child.flow && $0.child?.input == child.input
        }
        if let name = entry?.name, scripts.stubs.commands[name] != nil { note("\(name) ▸ \(outcome.name)") }
      default: break
      }
    }
  }

  /// Ends the run at any time.
  func close() { run.close() }
}

/// A form does not accept its values.
struct InvalidAnswer: Error {
  /// The reasons, by field.
  let reasons: [String: String]
}

/// The reason why a script cannot be played further. Nothing has changed.
package struct PlayProblem: Error, Sendable, Hashable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    /// The script has a mistake, or does not fit its log.
    case script
    case refused
    /// There is no script for this flow.
    case noScript(String)
    /// A step, a look or a stub does not end.
    case unended(UnendedWork)
  }

  let kind: Kind
  package let description: String

  init(_ description: String, _ kind: Kind = .script) { (self.description, self.kind) = (description, kind) }

  init(noScript flow: String) { self.init("there is no script for the flow \(flow) beside this one", .noScript(flow)) }

  init(_ work: UnendedWork) {
    self.init("\(work): \(work.advice)", .unended(work))
  }

  init(_ error: CallError) {
    switch error {
    case .provider(let trouble): self.init("\(trouble)")
    case .held(_, let reason): self.init(reason)
    case .refused(let refusal): self.init("\(refusal)", .refused)
    default: self.init("\(error)", .refused)
    }
  }
}

extension FlowExplorer {
  /// Creates an explorer, or the settings of a run, of a flow that scripts serve.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - scripts: the scripts.
  init(_ flow: String, playing scripts: LocalScripts) {
    self.init(flow, in: scripts.catalogue, patience: .seconds(1_000_000))
    nextRoot = { LocalScripts.root(of: flow) }
    startTime = scripts.clock.start
    triesAgain = false
  }
}

extension ScriptLog {
  /// Whether a piece of work is a step, and not a look.
  fileprivate func isStep(_ work: ProvidedWork) -> Bool {
    WorkKind(ofWork: work.id) == .step && entry(of: work.id)?.step?.isLook == false
  }
}

extension ProvidedWork.End {
  /// Describes the outcome of a step, in a few words.
  fileprivate var summary: String {
    guard case .done(let text) = self, let json = JSONValue(json: text) else { return "cut short" }
    if let error = json["error"] { return "failed: \(error["message"]?.string ?? "")" }
    return json.object?["done"] == nil ? "cut short" : "done"
  }
}
