import CoordinatorKit
import Forms
import Platform
import ScriptEngine

/// Serves scripts to flow trees in this process, without a daemon: the trees of plays and walks. May be used from any thread.
///
/// Answers questions about events as the service does, and keeps a journal of them. Work waits until the play or the walk
/// performs it, or reports its end.
package final class LocalScripts: FlowProvider {
  private struct State: Sendable {
    /// Starts and keeps the runs. Waiting runs are ended at once, unless they are to be killed.
    var runs: ScriptRuns
    var journal: [DecidedEvent] = []
    /// The child flow that a coordinator is about to start and that a stub replaces, by the path of the coordinator.
    var awaited: [CoordinatorPath: String] = [:]
    var flows: ProvidedFlows?
    /// The log with which the next flow that starts continues.
    var kept: ScriptLog?
    /// Whether a crash is simulated before the next step.
    var crashesBeforeStep = false
    /// Starts runs elsewhere; nil before the first one.
    var elsewhere: RunStarter?
  }

  /// The scripts, by the names of their flows.
  package let scripts: [String: Script]
  /// The stubs for steps, looks and children.
  package let stubs: Stubs
  /// The clock of plays.
  package let clock: PlayedClock
  /// How long a step, a look or a stub may take; nil for no limit.
  package let workLimit: Duration?
  private let directory: String
  private let state: Lock<State>

  /// Serves scripts.
  ///
  /// - Parameters:
  ///   - scripts: the scripts, by the names of their flows.
  ///   - stubs: the stubs for steps, looks and children.
  ///   - directory: a directory for the socket of operations.
  ///   - translations: the translations of the texts that scripts do not word themselves.
  ///   - patience: how long a run may wait for the next answer; zero to start another one for each answer.
  ///   - workLimit: how long a step, a look or a stub may take; nil for no limit.
  ///   - isReal: whether a person plays: then time and random values are real.
  ///   - report: receives the lines that scripts write.
  /// - Throws: an error that describes itself.
  package init(
    _ scripts: [String: Script], _ stubs: Stubs, directory: String, translations: Translations = .none,
    patience: Duration = .zero, workLimit: Duration? = nil, isReal: Bool = false, report: @escaping @Sendable (String) -> Void
  ) throws {
    (self.scripts, self.stubs, self.directory, self.workLimit) = (scripts, stubs, directory, workLimit)
    clock = PlayedClock(isReal: isReal)
    let starter = try RunStarter(in: directory, isPlaying: true, hasRealChance: isReal) { report($1) }
    state = Lock(State(runs: Self.runs(starter, waiting: patience, translations)))
  }

  private static func runs(
    _ starter: RunStarter, waiting patience: Duration, _ translations: Translations
  ) -> ScriptRuns {
    let cache = RunCache(patience: patience, capacity: 100)
    return ScriptRuns(starter: starter, cache: cache, notes: AuthorNotes(), translations: translations)
  }

  var runs: ScriptRuns { state.withLock(\.runs) }

  /// Returns what starts runs in other surroundings.
  ///
  /// - Parameter surroundings: where the runs take place.
  /// - Returns: the starter.
  /// - Throws: `AskSocket.Failed`.
  func starter(in surroundings: Surroundings) throws -> RunStarter {
    guard surroundings == .elsewhere else { return runs.starter }
    return try state.withLock { state in
      if let starter = state.elsewhere { return starter }
      let starter = try RunStarter(in: "\(directory)/elsewhere", isPlaying: true, surroundings: .elsewhere) { _, _ in }
      state.elsewhere = starter
      return starter
    }
  }

  /// Selects whether waiting runs continue until ``kill()``, or end at once, so that a new run answers each event.
  package func keepRuns(_ areKept: Bool) {
    runs.cache.endAll()
    state.withLock { $0.runs = Self.runs($0.runs.starter, waiting: areKept ? .seconds(3_600) : .zero, $0.runs.translations) }
  }

  /// The flows of the scripts, for a tree.
  package var catalogue: FlowCatalogue {
    let flows = ProvidedFlows(provider: self)
    for script in scripts.values { Self.add(script.name, script.title, to: flows) }
    state.withLock { $0.flows = flows }
    var catalogue = FlowCatalogue()
    catalogue.provided = flows
    return catalogue
  }

  /// The time at which plays for tests begin: always the same, so that logs can be compared.
  package static let startTime = Timestamp(microseconds: 1_700_000_000_000_000)

  /// The name of the root coordinator of a flow that is played.
  package static func root(of flow: String) -> String { "\(flow.bytes.replacing("-", with: "_"))_1" }

  /// The root coordinator of a flow that is played.
  package static func instance(of flow: String) -> FlowInstance {
    FlowInstance(flow: flow, path: CoordinatorPath(root: root(of: flow)), startedAt: startTime.microseconds)
  }

  /// Adds a flow whose input is unchecked: the play provides it.
  private static func add(_ name: String, _ title: String, to flows: ProvidedFlows) {
    flows.add(
      FlowDescription(name, title: Text(verbatim: title)), schemas: FlowSchemas(result: nil, output: nil), checksInput: false)
  }

  /// Returns what was decided since the last call, in order.
  package func takeJournal() -> [DecidedEvent] {
    state.withLock { state in
      defer { state.journal = [] }
      return state.journal
    }
  }

  // MARK: Steering

  func keep(_ log: ScriptLog) { state.withLock { $0.kept = log } }

  func takeKept() -> ScriptLog? {
    state.withLock { state in
      defer { state.kept = nil }
      return state.kept
    }
  }

  /// Selects whether a crash is simulated before the next step.
  package func crashBeforeStep(_ crashes: Bool) { state.withLock { $0.crashesBeforeStep = crashes } }

  /// Whether the crash before the next step is still pending.
  package var crashesBeforeStep: Bool { state.withLock(\.crashesBeforeStep) }

  func takesCrash() -> Bool {
    state.withLock { state in
      defer { state.crashesBeforeStep = false }
      return state.crashesBeforeStep
    }
  }

  // MARK: The provider

  private static let program = ServingProgram(name: "", version: 1)

  package func server(of flow: String) -> ServingProgram? { Self.program }

  package func decide(
    _ question: FlowQuestion, as known: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory) {
    var history = history
    history.ask(Self.program)
    if let answer = standIn(for: question) { return (answer, history) }
    guard let script = scripts[question.instance.flow] else {
      return (.trouble(.failed("there is no script for the flow \(question.instance.flow)")), history)
    }
    var asked = continued(question)
    var answer = await Decider(script, asked, runs).answer()
    if let crashed = crashed(before: DecidedEvent(script: script, question: asked, answer: answer)) {
      asked = crashed
      answer = await Decider(script, asked, runs).answer()
    }
    if case .decided(var decision) = answer {
      decision.operations = decision.operations.map { prepare($0, for: question.instance, decision.state) }
      answer = .decided(decision)
    }
    let decided = DecidedEvent(script: script, question: asked, answer: answer)
    state.withLock { $0.journal.append(decided) }
    return (answer, history)
  }

  /// Prepares for an operation that a script has ordered.
  private func prepare(_ operation: FlowDecision.Operation, for instance: FlowInstance, _ text: String) -> FlowDecision.Operation
  {
    switch operation {
    // Work may be performed more than once.
    case .startWork(let work, let secrets, _): return .startWork(work, secrets: secrets, taking: false)
    case .startChild(let flow, _, _, _):
      let name = ScriptLog(text: text)?.entries.first { $0.isOpen && $0.child != nil }?.name ?? flow
      let flows = state.withLock { state in
        state.awaited[instance.path] = stubs.commands[name] != nil || scripts[flow] == nil ? name : nil
        return state.flows
      }
      if let flows, scripts[flow] == nil { Self.add(flow, flow, to: flows) }
      return operation
    default: return operation
    }
  }

  // MARK: Work

  package func perform(
    _ work: ProvidedWork, of instance: FlowInstance, by _: String, in context: SharedWorkContext
  ) async throws -> String {
    try await Task.sleep(for: .seconds(1_000_000))
    throw CancellationError()
  }

  /// Performs work, or its stub, however long that takes.
  ///
  /// - Parameters:
  ///   - work: the work, for which a run waits.
  ///   - record: the coordinator that has ordered it.
  /// - Returns: how it has ended.
  func performed(_ work: ProvidedWork, of record: CoordinatorRecord) async -> ProvidedWork.End {
    if let name = StandIn.name(in: work.argument) { return .done(await stubs.outcome(of: name)?.standInText ?? "") }
    let instance = FlowInstance(flow: record.flow, path: record.path, startedAt: record.startedAt)
    let entry = record.providedState.flatMap { ScriptLog(text: $0) }?.entry(of: work.id)
    guard let argument = WorkArgument(work.argument), let script = scripts[record.flow] else { return .cutShort }
    let names = entry?.step?.secrets ?? []
    let secrets = record.secrets.filter { names.contains($0.key) }.mapValues { Secret(copying: $0) }
    let input = names.compactMap { secrets[$0] ?? runs.results.copy(of: $0, of: instance.name) }
    let done = ScriptWork(work.id, argument, instance.name, 1, runs)
    if let entry, let ending = await stubs.ending(of: entry, argument.kind, instance, script, input) {
      return .ended(done.recorded(ending, of: entry))
    }
    let context = SharedWorkContext(
      secrets: secrets, audience: WorkAudience(of: record.path), report: { _ in }, show: { _ in })
    let text = try? await done.perform(in: context)
    return text.map { .done($0) } ?? .cutShort
  }

  // MARK: Children that stubs replace

  /// Answers for a child that a stub replaces: its outcome is the result of its work. Nil for a script.
  private func standIn(for question: FlowQuestion) -> FlowAnswer? {
    let name: String
    if question.event == .start {
      let awaited = state.withLock { state in question.instance.path.parent.flatMap { state.awaited.removeValue(forKey: $0) } }
      guard let awaited else { return nil }
      name = awaited
    } else {
      guard let known = StandIn.name(in: question.state) else { return nil }
      name = known
    }
    var decision = FlowDecision(state: StandIn.text(name))
    switch question.event {
    case .start: decision.operations = [.startWork(StandIn.work(name), secrets: [:], taking: false)]
    case .workEnded(_, .done(let text)): decision.operations = [StandIn.ending(text)]
    default: break
    }
    return .decided(decision)
  }

  // MARK: Processes

  /// Kills all processes, as a crash of the machine does.
  package func kill() {
    PlayedProcesses.kill()
    runs.cache.endAll()
    runs.starter.forgetHosts()
    state.withLock(\.elsewhere)?.forgetHosts()
  }

  /// Ends all processes, and waits until they have ended.
  package func end() {
    runs.cache.endAll()
    runs.starter.end()
    state.withLock(\.elsewhere)?.end()
    PlayedProcesses.end()
    state.withLock { $0.flows = nil }
  }
}

extension LocalScripts {
  /// Lets the next flow that starts continue with a stored log, as a flow does whose script has changed.
  ///
  /// The script repeats its last operations. Steps that had begun are begun again.
  ///
  /// - Parameter log: the log.
  package func goOn(with log: ScriptLog) {
    var log = log
    while let last = log.entries.last, last.isOpen, last.step == nil { log.entries.removeLast() }
    for index in log.entries.indices { log.entries[index].changeStep { $0.work = nil } }
    log.running = nil
    keep(log)
  }

  /// Returns the question about an event, or about the stored log that replaces a start.
  func continued(_ question: FlowQuestion) -> FlowQuestion {
    guard question.event == .start, let log = takeKept() else { return question }
    return FlowQuestion(
      .migrate(from: log.version), of: question.instance, turn: question.turn, state: log.text, in: question.context)
  }

  /// Simulates a crash if the script has reached a step before which one is requested: the event is stored, but the script has
  /// not reached the step yet.
  ///
  /// - Parameter decided: the event and the answer of the script.
  /// - Returns: the question after the crash; nil if there is no crash.
  func crashed(before decided: DecidedEvent) -> FlowQuestion? {
    guard let log = decided.logAfter, decided.isAlone, decided.ordersStep(of: log), let told = decided.toldLog,
      takesCrash()
    else { return nil }
    kill()
    let (question, lost) = (decided.question, decided.secrets)
    var context = question.context
    context.work = []
    return FlowQuestion(
      lost.isEmpty ? .language : .secretsGone(lost), of: question.instance, turn: question.turn + 1, state: told.text,
      in: context)
  }
}

extension DecidedEvent {
  /// Whether the coordinator has no other running work.
  fileprivate var isAlone: Bool {
    guard case .workEnded(let id, _) = event else { return question.context.work.isEmpty }
    return question.context.work.allSatisfy { $0 == id }
  }

  /// The names of the secrets that came with the event, or were kept before it.
  fileprivate var secrets: [String] {
    guard case .event(_, _, _, let secrets) = event else { return question.context.secrets }
    return Set(secrets + question.context.secrets).sorted()
  }

  /// Whether a step begins, rather than a look.
  fileprivate func ordersStep(of log: ScriptLog) -> Bool {
    guard case .decided(let decision) = answer else { return false }
    return decision.operations.contains { operation in
      guard case .startWork(let work, _, _) = operation else { return false }
      return WorkArgument(work.argument)?.kind == .step && log.entry(of: work.id)?.step?.isLook == false
    }
  }
}

/// A child flow that a stub or a walk replaces: a coordinator with a single piece of work, whose result is the outcome of the
/// child.
package enum StandIn {
  private static let prefix = "stand-in "

  /// The name of the operation that has started the child; nil if it is a script.
  ///
  /// - Parameter text: the state of the child, or the argument of its work.
  /// - Returns: the name.
  package static func name(in text: String) -> String? { text.bytes.dropping(prefix: prefix).map(String.init) }

  static func text(_ name: String) -> String { prefix + name }
  static func work(_ name: String) -> ProvidedWork { ProvidedWork(id: "child", argument: text(name)) }

  /// Ends the child with the outcome of its work.
  static func ending(_ text: String) -> FlowDecision.Operation {
    JSONValue(json: text)?["finished"]?.object.map { .finish($0, secrets: [:]) } ?? .cancel
  }
}

extension Outcome {
  /// The outcome as the result of the work of a stand-in.
  package var standInText: String {
    guard case .finished(let result) = self else { return "" }
    return JSONValue.object(["finished": .object(result)]).canonicalText
  }
}
