import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import Platform
import ScriptEngine

/// Walks all paths through a script with the kit's explorer: every action and row, forms with valid values, timeouts, and steps
/// that succeed and fail. Two further runs repeat the questions of each path, and must ask and show the same.
package actor ScriptWalk {
  /// The position of a state in the graph.
  private struct Place {
    /// The last node that was reached.
    var node: ExploredFlow.Node
    /// The event that has led on from there, if no node was reached since; "" for an event without a user.
    var label = ""
    /// The questions and the answers on the path, for people.
    var words: [String]
    /// The question that was answered last, as it was shown; nil if Back does not simply lead there.
    var previous: JSONValue?
    /// Whether Back has led there: it is compared, and not followed.
    var isReturned = false
  }

  /// How often a question is followed if a loop asks it again.
  private static let repeats = 2
  /// With how many different payloads a form is sent.
  private static let payloads = 3
  /// The number of paths for which states are kept.
  private static let mostPaths = 100_000
  /// The maximum number of visited states for each path.
  private static let statesPerPath = 50

  private let scripts: LocalScripts
  private let options: Options
  private let tell: @Sendable (_ paths: Int, _ moves: Int) -> Void
  private var found: ExploredFlow
  private let comparison: RunComparison
  private var places: [String: Place] = [:]
  /// The answers that a path may take, and those that one has taken, each after its question.
  private var (offered, taken): ([String], Set<String>) = ([], [])
  /// The forms with given values that were shown.
  private var filled: Set<String> = []
  /// Why paths were left before their end.
  private var reasons: [String] = []
  private let overdue = Lock<UnendedWork?>(nil)
  private let start = ContinuousClock.now
  private var isInterrupted = false

  /// Creates a walk.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - scripts: serves the script.
  ///   - options: what to walk.
  ///   - tell: receives the numbers of paths that were walked so far, and of moves.
  package init(
    _ flow: String, of scripts: LocalScripts, _ options: Options = Options(),
    tell: @escaping @Sendable (_ paths: Int, _ moves: Int) -> Void = { _, _ in }
  ) {
    (self.scripts, self.options, self.tell) = (scripts, options, tell)
    (found, comparison) = (ExploredFlow(flow), RunComparison(scripts))
  }

  /// Walks.
  ///
  /// - Parameter input: the input of the flow.
  /// - Returns: the result.
  /// - Throws: `CancellationError`.
  package func run(input: [String: JSONValue]) async throws -> ExploredFlow {
    found.add(startNode)
    var explorer = FlowExplorer(found.name, playing: scripts)
    (explorer.inputs, explorer.payloadsPerForm, explorer.firesTimers) = ([input], Self.payloads, true)
    (explorer.answers, explorer.triesOnlyAnswers) = (options.values, true)
    explorer.maxStates = min(options.bounds.maxPaths, Self.mostPaths) * Self.statesPerPath
    explorer.guide = self
    let walk = try await explorer.walk()
    found.states = walk.states
    if !walk.isComplete { (found.bound, found.growth) = (found.bound ?? .states, walk.growth) }
    for problem in await comparison.compareAgain(isLast: true) { found.add(problem) }
    for language in options.languages {
      for problem in await TextComparison(scripts, language).untranslated(in: await comparison.walked) { found.add(problem) }
    }
    conclude()
    return found
  }

  /// Ends the walk as soon as possible: its result is what was found until then.
  package func interrupt() { isInterrupted = true }

  private var startNode: ExploredFlow.Node { ExploredFlow.Node(kind: .start, name: found.name) }

  private var reachedBound: WalkBounds.Bound? {
    if isInterrupted { return .interrupt }
    if found.paths >= options.bounds.maxPaths { return .paths }
    return ContinuousClock.now - start >= .seconds(options.bounds.maxSeconds) ? .seconds : nil
  }

  private func conclude() {
    found.seconds = (ContinuousClock.now - start) / .seconds(1)
    if found.bound != nil { found.untried = offered.filter { !taken.contains($0) } }
    for name in options.values.keys.sorted() where !filled.contains(name) {
      let text = "\(found.name): values were given for the form \(name), which no path shows"
      found.add(ExploredProblem(.untriedForm, id: "given \(name)", lines: [text]))
    }
    if found.bound != nil, options.isComplete {
      let notice = found.notice(of: options.bounds)
      found.add(ExploredProblem(.incomplete, id: "", lines: ["\(found.name): \(notice.joined(separator: "; "))"]))
    }
    found.skip(by: options)
    guard found.paths == 0, !found.startsOver, found.isFine(strictly: false), found.bound != .interrupt else { return }
    let why = reasons.isEmpty ? found.notice(of: options.bounds) : reasons
    let lines = (why + found.notes).map { "  \($0)" }
    found.add(ExploredProblem(.noPaths, id: "", lines: ["\(found.name): no path leads to an end"] + lines))
  }
}

extension ScriptWalk: FlowGuide {
  package var goesOn: Bool {
    found.bound = found.bound ?? reachedBound
    return found.bound == nil
  }

  /// What a step does may depend on its secrets, which are not in the logs.
  package func key(of state: TreeState) -> String {
    options.isReal || !scripts.stubs.commands.isEmpty ? "\(state.scriptKey)\n\(state.secretsKey)" : state.scriptKey
  }

  /// A loop within one log is not followed for long.
  package func sizes(of state: TreeState) -> [String: Double] {
    var sizes = ["the number of flows": Double(state.coordinators.count)]
    for record in state.coordinatorsInOrder {
      guard let log = record.log else { continue }
      sizes.merge(JSONValue.object(log.input).sizes(at: "input of \(record.flow)")) { $1 }
    }
    return sizes
  }

  // MARK: Events

  package func happened(_ step: FlowStep) async {
    let journal = scripts.takeJournal()
    found.moves += 1
    tell(found.paths, found.moves)
    var place = step.before.flatMap { places[key(of: $0)] } ?? Place(node: startNode, words: [])
    let label = step.move.map(\.text) ?? ""
    if let move = step.move { taken.insert(move.told) }
    if !label.isEmpty { place.words.append("\(place.node.text): \(label)".printable) }
    place.label = label.isEmpty ? place.label : label
    let words = place.words
    if let work = overdue.withLock({ $0.take() }) {
      let place = scripts.scripts[found.name]?.places(of: work.name).first
      return found.add(
        ExploredProblem(
          .endlessWork, id: work.name, lines: ["\(found.name): \(work)", "  \(work.advice)"], at: place, path: words))
    }
    if let problem = PlayProblem(step) {
      if let decided = journal.last, let differing = await comparison.difference(in: decided, after: place.words) {
        return found.add(differing)
      }
      return found.add(.mistake(problem.description, after: place.words, doing: options.isReal ? nil : scripts.stubs))
    }
    for problem in await comparison.compareAgain() { found.add(problem) }
    for decided in journal {
      if decided.instance.path.parent == nil, decided.logAfter?.isAgain == true { found.startsOver = true }
      for problem in await comparison.check(decided, after: place.words) { found.add(problem) }
      if case .start = decided.event, let parent = decided.instance.path.parent {
        reach(.init(kind: .child, name: name(ofChildOf: parent, in: step.after)), &place)
      }
    }
    if place.isReturned || step.move?.isBack == true { return returned(step.after, place) }
    switch step.move?.kind {
    case .event: place.previous = step.before.flatMap { PlayedQuestion($0)?.comparable }
    case .timerFires: place.previous = nil
    default: break
    }
    arrive(in: step, place)
  }

  /// Compares the question that Back has led to with the one that was answered last.
  private func returned(_ state: TreeState, _ before: Place) {
    var place = before
    place.isReturned = true
    if places[key(of: state)] == nil { places[key(of: state)] = place }
    guard let previous = place.previous else { return }
    let reason: String
    if let question = PlayedQuestion(state) {
      guard let (one, other) = previous.difference(from: question.comparable) else { return }
      reason = "\(one), but after Back \(other)"
    } else {
      // A look or an undo comes first.
      guard !state.isAlive else { return }
      reason = "the flow has ended"
    }
    let lines = ["\(found.name): Back does not lead to the question before, as it was:", "  \(reason)"]
    found.add(ExploredProblem(.wrongBack, id: place.node.name, lines: lines, path: place.words))
  }

  private func arrive(in step: FlowStep, _ before: Place) {
    var place = before
    let state = step.after
    if let outcome = state.outcomes[state.root] ?? step.failureOfStart.map({ .failed($0) }) {
      reach(.init(outcome), &place)
      found.paths += 1
      return
    }
    if let node = state.node { reach(node, &place) }
    if let question = PlayedQuestion(state) {
      let name = place.node.name
      found.titles[name] = found.titles[name] ?? question.shown.content.title
      look(at: question, place)
    }
    if places[key(of: state)] == nil { places[key(of: state)] = place }
  }

  private func look(at question: PlayedQuestion, _ place: Place) {
    let (screen, flow) = (question.shown.content, question.coordinator.flow)
    for fault in screen.faults {
      found.add(
        ExploredProblem(
          fault.check, id: "\(flow) \(screen.name) \(fault.field)",
          lines: ["\(flow): the question \(screen.name): \(fault.text)"],
          at: question.place(in: scripts.scripts[flow]), path: place.words))
    }
    if let reason = misfit(of: screen) {
      let text = "\(flow): the question \(screen.name) does not accept the values that were given for it: \(reason)"
      found.add(ExploredProblem(.untriedForm, id: "misfit \(screen.name)", lines: [text], path: place.words))
    }
    if screen.hasNoRows {
      note("the list \(place.node.name) had no rows: give the look that reads them a --stub; what follows was not tried")
    }
  }

  /// Returns why a form does not accept values that were given for it; nil if it accepts all.
  private func misfit(of screen: Screen) -> String? {
    guard let given = options.values[screen.name] else { return nil }
    guard let schema = screen.form?.schema else { return "it is not a form" }
    let reasons = given.map { schema.check($0) }.first { !$0.isEmpty }
    return reasons?.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  private func reach(_ node: ExploredFlow.Node, _ place: inout Place) {
    if node == place.node { found.add(node) } else { found.add(.init(from: place.node, label: place.label, to: node)) }
    (place.node, place.label) = (node, "")
  }

  private func name(ofChildOf parent: CoordinatorPath, in state: TreeState) -> String {
    guard let record = state.coordinators[parent] else { return "\(parent)" }
    let entry = record.log?.entries.first { $0.isOpen && $0.child != nil }
    return state.named(entry?.name ?? record.flow, in: record)
  }

  // MARK: Moves

  package func moves(in state: TreeState, from offered: [FlowMove]) async -> [FlowMove] {
    guard let place = places[key(of: state)], !place.isReturned || PlayedQuestion(state) == nil else { return [] }
    var moves: [FlowMove]
    guard goesOn else { return [] }
    if let question = PlayedQuestion(state) {
      moves = answers(to: question, from: offered)
      if options.goesBack, place.previous != nil, question.isReturnable(in: state) { moves += offered.filter(\.isBack) }
      let isUnknown = question.lacksValues(moves)
      if isUnknown { noteUnknown(question, place) }
      let isRepeated = LogEntry.use(of: question.key) > Self.repeats
      if isRepeated { reason("the question \(place.node.name) comes again and again") }
      guard !moves.isEmpty, !isRepeated else {
        if moves.isEmpty, !isUnknown {
          found.add(
            ExploredProblem(
              .deadEnd, id: place.node.name, lines: ["\(found.name): the question \(place.node.name) has no possible answer"],
              path: place.words))
        }
        await leave(state, place)
        return []
      }
    } else if let first = state.withCopiedSecrets.ordered.first {
      // Copied, because those of this state are wiped with its run, which may end before the move is made.
      moves = ends(of: first.work, first.id, first.owner)
    } else {
      moves = offered.compactMap { if case .timerFires = $0.kind { FlowMove($0, "") } else { nil } }
    }
    if moves.isEmpty {
      let text = "\(found.name): the script waits for something that cannot happen"
      found.add(ExploredProblem(.deadEnd, id: "waits", lines: [text], path: place.words))
    }
    if place.isReturned { moves = Array(moves.prefix(1)) }
    let placed = moves.map { $0.placed(at: place.node.text) }
    for move in placed where !move.text.isEmpty && !self.offered.contains(move.told) { self.offered.append(move.told) }
    return placed
  }

  private func note(_ text: String) { if !found.notes.contains(text) { found.notes.append(text) } }

  private func reason(_ text: String) { if !reasons.contains(text) { reasons.append(text) } }

  private func noteUnknown(_ question: PlayedQuestion, _ place: Place) {
    let name = question.shown.content.name
    let advice = "give a field an --example, or the check --values \(name)={…}; what follows was not tried"
    reason("no values are known that the form \(place.node.name) accepts")
    found.add(
      ExploredProblem(
        .untriedForm, id: place.node.name,
        lines: ["\(found.name): no values are known that the form \(place.node.name) accepts: \(advice)"],
        at: question.place(in: scripts.scripts[question.coordinator.flow]), path: place.words))
  }

  /// Abandons a path before its end.
  private func leave(_ state: TreeState, _ place: Place) async {
    for record in state.coordinatorsInOrder {
      guard let script = scripts.scripts[record.flow], let log = record.log else { continue }
      for problem in await comparison.note(script, record.instance, log, after: place.words) { found.add(problem) }
    }
  }

  /// Returns the rows first, then the actions; without Back, which `play` tries.
  private func answers(to question: PlayedQuestion, from offered: [FlowMove]) -> [FlowMove] {
    if options.values[question.shown.content.name] != nil { filled.insert(question.shown.content.name) }
    var (rows, others): ([FlowMove], [FlowMove]) = ([], [])
    for move in offered {
      switch move.kind {
      case .event(Event.select, _):
        rows.append(FlowMove(move, String(move.text.bytes.dropping(prefix: "\(Event.select) ") ?? "")))
      case .event(let name, let payload): others.append(FlowMove(move, question.label(name, payload)))
      case .timerFires where question.isTimed: others.append(FlowMove(move, "nobody answers"))
      default: break
      }
    }
    return rows + others
  }

  private func ends(of work: ProvidedWork, _ id: WorkID, _ owner: CoordinatorRecord) -> [FlowMove] {
    func move(_ label: String, _ end: @escaping FlowMove.WorkEnding) -> FlowMove {
      FlowMove(kind: .workEnds(id, of: owner.path, as: end), place: .init(flow: "", screen: "", name: ""), text: label)
    }
    if StandIn.name(in: work.argument) != nil {
      return [Outcome.finished([:]), .cancelled].map { outcome in move(outcome.name) { .done(outcome.standInText) } }
    }
    guard let log = owner.log, let script = scripts.scripts[owner.flow] else { return [] }
    let limit = [scripts.workLimit, .seconds(max(1, options.bounds.maxSeconds))].compactMap(\.self).min()
    let performed: FlowMove.WorkEnding = { [scripts, overdue] in
      do throws(UnendedWork) {
        return try await scripts.perform(work, of: owner, within: limit)
      } catch {
        overdue.withLock { $0 = error }
        return .cutShort
      }
    }
    guard let entry = log.entry(of: work.id), let step = entry.step, !step.isLook, !options.isReal else {
      return [move("", performed)]
    }
    let failing = move("fails") { .ended(Stubs.failed(for: script.kind)) }
    // Of a step that is retried, only the first attempt and the last one may succeed.
    if let most = step.mostAttempts, step.attempts > 1, step.attempts < most { return [failing] }
    let done: FlowMove.WorkEnding = { .ended(Stubs.done(for: script.kind)) }
    return [move("done", scripts.stubs.commands[entry.name] == nil ? done : performed), failing]
  }
}

extension PlayProblem {
  /// Returns the reason why the script has not continued; nil if it has.
  fileprivate init?(_ step: FlowStep) {
    switch step.answer {
    case .taken, .refused(.failed):
      guard let reason = step.after.holdReason else { return nil }
      self.init(reason)
    case .refused(let error): self.init(error)
    case .stuck: self.init("work does not end")
    }
  }
}

extension FlowStep {
  /// The failure of a flow that has not shown a screen; nil otherwise.
  fileprivate var failureOfStart: Failure? {
    if before == nil, case .refused(.failed(let failure)) = answer { failure } else { nil }
  }
}

extension PlayedQuestion {
  /// Whether Back leads to the question that was answered last: not if this one corrects it, nor from one flow to another.
  fileprivate func isReturnable(in state: TreeState) -> Bool {
    shown.back && state.coordinators.count == 1
      && coordinator.log?.entries.last { $0.key.bytes.equals(key) }?.ask?.corrects == false
  }
}

extension FlowMove {
  fileprivate var isBack: Bool { if case .back = kind { true } else { false } }

  fileprivate init(_ move: FlowMove, _ label: String) { self.init(kind: move.kind, place: move.place, text: label) }

  /// The question and the answer, for people.
  fileprivate var told: String { "\(place.screen) ▸ \(text)" }

  /// Returns the move with a kind that is different at each node.
  fileprivate func placed(at node: String) -> FlowMove {
    FlowMove(kind: kind, place: Place(flow: "", screen: node, name: text), text: text)
  }
}
