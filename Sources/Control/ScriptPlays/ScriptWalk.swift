import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import RendererKit
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
  }

  /// How often a question is followed if a loop asks it again.
  private static let repeats = 2
  /// With how many different payloads a form is sent.
  private static let payloads = 3
  /// The maximum number of visited states for each path.
  private static let statesPerPath = 50

  private let scripts: LocalScripts
  private let isReal: Bool
  private let maxPaths: Int
  private let tell: @Sendable (_ paths: Int, _ moves: Int) -> Void
  private var found: ExploredFlow
  private let comparison: RunComparison
  private var places: [String: Place] = [:]
  private var moves = 0

  /// Creates a walk.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - scripts: serves the script.
  ///   - isReal: whether steps without a stub are executed.
  ///   - maxPaths: the maximum number of paths to walk.
  ///   - tell: receives the numbers of paths that were walked so far, and of moves.
  package init(
    _ flow: String, of scripts: LocalScripts, isReal: Bool, maxPaths: Int,
    tell: @escaping @Sendable (_ paths: Int, _ moves: Int) -> Void = { _, _ in }
  ) {
    (self.scripts, self.isReal, self.maxPaths, self.tell) = (scripts, isReal, maxPaths, tell)
    (found, comparison) = (ExploredFlow(flow), RunComparison(scripts))
  }

  /// Walks.
  ///
  /// - Parameter input: the input of the flow.
  /// - Returns: the result.
  /// - Throws: `CancellationError`.
  package func run(input: [String: JSONValue]) async throws -> ExploredFlow {
    found.add(start)
    var explorer = FlowExplorer(found.name, playing: scripts)
    (explorer.inputs, explorer.payloadsPerForm, explorer.firesTimers) = ([input], Self.payloads, true)
    explorer.maxStates = maxPaths * Self.statesPerPath
    explorer.guide = self
    let walk = try await explorer.walk()
    if !walk.isComplete { (found.isCut, found.growth) = (true, walk.growth) }
    for problem in await comparison.compareAgain() { found.add(problem) }
    return found
  }

  private var start: ExploredFlow.Node { ExploredFlow.Node(kind: .start, name: found.name) }
}

extension ScriptWalk: FlowGuide {
  package var goesOn: Bool { found.paths < maxPaths }

  package func key(of state: TreeState) -> String { state.scriptKey }

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
    moves += 1
    tell(found.paths, moves)
    var place = step.before.flatMap { places[$0.scriptKey] } ?? Place(node: start, words: [])
    let label = step.move.map(\.text) ?? ""
    if !label.isEmpty { place.words.append("\(place.node.text): \(label)".printable) }
    place.label = label.isEmpty ? place.label : label
    if let problem = PlayProblem(step) {
      if let decided = journal.last, let differing = await comparison.difference(in: decided, after: place.words) {
        return found.add(differing)
      }
      return found.add(ExploredProblem(id: problem.description, lines: [problem.description], path: place.words))
    }
    for decided in journal {
      if let problem = await comparison.check(decided, after: place.words) { found.add(problem) }
      if case .start = decided.event, let parent = decided.instance.path.parent {
        reach(.init(kind: .child, name: name(ofChildOf: parent, in: step.after)), &place)
      }
    }
    arrive(in: step, place)
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
    }
    if places[state.scriptKey] == nil { places[state.scriptKey] = place }
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
    guard let place = places[state.scriptKey] else { return [] }
    let moves: [FlowMove]
    if let question = PlayedQuestion(state) {
      moves = answers(to: question, from: offered)
      let isUnknown = moves.isEmpty || question.lacksValues(moves)
      if isUnknown { note("no values are known that the form \(place.node.name) accepts") }
      guard !isUnknown, LogEntry.use(of: question.key) <= Self.repeats else {
        await leave(state, place)
        return []
      }
    } else if let first = state.ordered.first {
      moves = ends(of: first.work, first.id, first.owner)
    } else {
      moves = offered.compactMap { if case .timerFires = $0.kind { FlowMove($0, "") } else { nil } }
    }
    if moves.isEmpty {
      found.add(
        ExploredProblem(id: "waits", lines: ["the script waits for something that cannot happen"], path: place.words))
    }
    return moves.map { $0.placed(at: place.node.text) }
  }

  private func note(_ unknown: String) {
    let text = "\(unknown): give a field an --example; what follows was not tried"
    if !found.notes.contains(text) { found.notes.append(text) }
  }

  /// Abandons a path before its end.
  private func leave(_ state: TreeState, _ place: Place) async {
    for record in state.coordinatorsInOrder {
      guard let script = scripts.scripts[record.flow], let log = record.log else { continue }
      await comparison.note(script, record.instance, log, after: place.words)
    }
  }

  /// Returns the rows first, then the actions; without Back, which `play` tries.
  private func answers(to question: PlayedQuestion, from offered: [FlowMove]) -> [FlowMove] {
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
    let performed: FlowMove.WorkEnding = { [scripts] in await scripts.perform(work, of: owner) }
    guard let entry = log.entry(of: work.id), let step = entry.step, !step.isLook, !isReal else { return [move("", performed)] }
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

extension FlowMove {
  fileprivate init(_ move: FlowMove, _ label: String) { self.init(kind: move.kind, place: move.place, text: label) }

  /// Returns the move with a kind that is different at each node.
  fileprivate func placed(at node: String) -> FlowMove {
    FlowMove(kind: kind, place: Place(flow: "", screen: node, name: text), text: text)
  }
}
