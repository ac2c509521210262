import CoordinatorKit
import Forms
import Platform
import ScriptEngine

/// Plays scripts without a daemon. It executes them as the service does, and does with their decisions what a daemon would;
/// what a daemon would store is a value, ``PlayedTree``. May be used from any thread; events one at a time.
package final class ScriptStage: Sendable {
  /// The scripts that can be played, by the names of their flows.
  package let scripts: [String: Script]
  let runs: ScriptRuns
  let clock: PlayedClock

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - scripts: the scripts that can be played, by the names of their flows.
  ///   - directory: a directory for the socket of operations.
  ///   - patience: how long a run may wait for the next answer; zero to start another one for each answer.
  ///   - isReal: whether a person plays, for whom time and chance are as they are.
  ///   - report: receives what scripts write, line by line.
  /// - Throws: an error that describes itself.
  package init(
    _ scripts: [String: Script], directory: String, patience: Duration = .zero, isReal: Bool = false,
    report: @escaping @Sendable (String) -> Void
  ) throws {
    self.scripts = scripts
    clock = PlayedClock(isReal: isReal)
    runs = ScriptRuns(
      starter: try RunStarter(in: directory, isPatient: false) { report($1) }, cache: RunCache(patience: patience, capacity: 100),
      notes: AuthorNotes())
  }

  /// Starts a flow.
  ///
  /// - Throws: ``PlayProblem``.
  package func start(_ flow: String, input: [String: JSONValue]) async throws(PlayProblem) -> PlayedTree {
    let root = try coordinator(flow, input: input)
    return try await take(.start, by: 0, in: PlayedTree(flows: [root], now: clock.start))
  }

  /// Returns a coordinator that was not started.
  ///
  /// - Throws: ``PlayProblem``.
  package func coordinator(_ flow: String, input: [String: JSONValue]) throws(PlayProblem) -> PlayedFlow {
    guard let script = scripts[flow] else { throw .noScript(flow) }
    let path = CoordinatorPath(root: "\(flow.bytes.replacing("-", with: "_"))_1")
    return PlayedFlow(script, path: path, input: input, startedAt: clock.start)
  }

  /// Takes an event.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - index: the coordinator that it is for.
  ///   - tree: the flow before it.
  ///   - secrets: the secrets that come with it.
  /// - Returns: the flow after it.
  /// - Throws: ``PlayProblem``.
  package func take(
    _ event: FlowQuestion.Event, by index: Int, in tree: PlayedTree, secrets: [String: Secret] = [:]
  ) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    tree.turn += 1
    tree.now = clock.time(after: tree.now)
    let before = tree.flows[index]
    tree.flows[index].isOver(event)
    let question = tree.flows[index].question(event, turn: tree.turn, now: tree.now)
    let answer = await PlayedChance.$isPlayed.withValue(true) {
      await PlayedChance.$isReal.withValue(clock.isReal) { await Decider(before.script, question, runs).answer() }
    }
    let outcome: Outcome?
    switch answer {
    case .decided(let decision):
      outcome = tree.flows[index].apply(
        decision, given: secrets, lastScreen: &tree.lastScreen, lastChild: &tree.lastChild)
      // A child that was cancelled, with all below it.
      if outcome == nil, tree.flows.indices.contains(index + 1),
        !tree.flows[index].children.contains(where: { $0.child.path == tree.flows[index + 1].instance.path })
      {
        tree = end(tree, from: index + 1)
      }
    case .failed(let failure): outcome = .failed(failure)
    case .refused(let refusal): throw .refused("\(refusal)")
    case .notTaken: throw .refused("the flow has no such event")
    case .trouble(let trouble): throw .script("\(trouble)")
    }
    guard let outcome else { return tree }
    tree.endings.append(PlayedEnding(flow: before, event: event, outcome: outcome))
    return try await ended(outcome, index, in: tree)
  }

  private func ended(_ outcome: Outcome, _ index: Int, in tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    let path = tree.flows[index].instance.path
    guard index > 0 else {
      for flow in tree.flows { runs.cache.end(flow.instance.name, .cancelled) }
      tree.outcome = outcome
      return tree
    }
    tree = end(tree, from: index)
    guard let child = tree.flows[index - 1].children.first(where: { $0.child.path == path }) else { return tree }
    return try await childEnded(child, outcome, in: tree, flow: index - 1)
  }

  private func end(_ tree: PlayedTree, from index: Int) -> PlayedTree {
    var tree = tree
    for flow in tree.flows[index...] { runs.cache.end(flow.instance.name, .cancelled) }
    tree.flows.removeSubrange(index...)
    return tree
  }

  // MARK: Children

  /// Plays a child that a script has started.
  ///
  /// - Throws: ``PlayProblem``.
  package func play(_ child: PlayedChild, of index: Int, in tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    guard let script = scripts[child.child.flow] else { throw .noScript(child.child.flow) }
    var tree = end(tree, from: index + 1)
    guard let place = tree.flows[index].children.firstIndex(of: child) else { return tree }
    tree.flows[index].children[place].isPlayed = true
    tree.flows.append(PlayedFlow(script, path: child.child.path, input: child.child.input, startedAt: tree.now))
    return try await take(.start, by: index + 1, in: tree)
  }

  /// Tells a flow how a child has ended.
  ///
  /// - Throws: ``PlayProblem``.
  package func childEnded(
    _ child: PlayedChild, _ outcome: Outcome, in tree: PlayedTree, flow index: Int
  ) async throws(PlayProblem) -> PlayedTree {
    try await take(.childEnded(child.child, outcome, secrets: []), by: index, in: tree)
  }

  // MARK: Work and timers

  /// Performs work, really.
  ///
  /// - Returns: what it has come to.
  package func perform(_ work: PlayedWork, of flow: PlayedFlow) async -> ProvidedWork.End {
    guard let argument = work.argument else { return .done(WorkOutcome.interrupted.text) }
    let context = SharedWorkContext(
      secrets: work.secrets, audience: WorkAudience(of: flow.instance.path), report: { _ in }, show: { _ in })
    let done = try? await ScriptWork(work.work.id, argument, flow.instance.name, 1, runs).perform(in: context)
    return .done(done ?? WorkOutcome.interrupted.text)
  }

  /// Lets the next timer go off.
  ///
  /// - Throws: ``PlayProblem``.
  package func fire(_ key: String, due: UInt64, of index: Int, in tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    tree.now = max(tree.now, due)
    return try await take(.timer(key: key), by: index, in: tree)
  }

  // MARK: Processes

  /// Kills everything that runs, as a crash of the machine does.
  package func kill() {
    StageProcesses.kill()
    runs.cache.endAll()
    runs.starter.forgetHosts()
  }

  /// Ends everything that runs, and waits for that.
  package func end() {
    runs.cache.endAll()
    runs.starter.end()
    StageProcesses.end()
  }
}

extension PlayedFlow {
  /// Removes what an event says is over.
  fileprivate mutating func isOver(_ event: FlowQuestion.Event) {
    switch event {
    case .workEnded(let id, _), .workInterrupted(let id): work.removeAll { $0.work.id == id }
    case .timer(let key): timers[key] = nil
    case .childEnded(let child, _, _): children.removeAll { $0.child == child }
    default: break
    }
  }
}
