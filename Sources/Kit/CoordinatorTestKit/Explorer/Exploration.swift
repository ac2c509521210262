import CoordinatorKit

/// A walk through a flow in progress: the states seen so far, and the moves that remain.
struct Exploration {
  private let explorer: FlowExplorer
  private var walk: FlowWalk
  private var nodes: [VisitedState] = []
  private var indices: [StateKey: Int] = [:]
  private var frontier = Frontier()
  private var offers = Offers()
  private var routes = RouteCoverage()
  private var answers: AnswerUse

  init(_ explorer: FlowExplorer) {
    answers = AnswerUse(explorer.answers)
    self.explorer = explorer
    walk = FlowWalk(of: explorer.flow)
  }

  /// Makes moves until none are left.
  mutating func walk() async throws -> FlowWalk {
    defer { for node in nodes { node.run?.close() } }
    for event in explorer.outsideEvents { offers.note(.outside(event), canBeTried: true, at: []) }
    for input in explorer.inputs { await start(with: input) }
    while let next = frontier.take(order) {
      try Task.checkCancellation()
      // A killed `swift test` leaves the process of the tests behind.
      if TestRunner.hasEnded { throw CancellationError() }
      if let guide = explorer.guide, await !guide.goesOn {
        walk.isComplete = false
        break
      }
      await make(next.move, from: next.node)
    }
    conclude()
    if !walk.isComplete { walk.growth = await growth() }
    return walk
  }

  private var order: Frontier.Order {
    if !walk.isComplete { return .newKindsOnly }
    if explorer.guide != nil { return .newKindsThenLatest }
    return nodes.count * 2 < explorer.maxStates ? .nearest : .newKindsFirst
  }

  // MARK: Runs

  private mutating func start(with input: [String: JSONValue]) async {
    let run = FlowRun(of: explorer)
    let path = input.isEmpty ? [] : [JSONValue.object(input).canonicalText]
    let error = await run.start(explorer.flow, input: input)
    if let guide = explorer.guide {
      await guide.happened(
        FlowStep(before: nil, move: nil, answer: error.map { .refused($0) } ?? .taken, after: await run.state))
    }
    if let error {
      explorer.whenRefused?(path, error)
      return walk.note(.doesNotStart(error), at: path)
    }
    await arrive(in: run, from: .start(input: input), path: path)
  }

  /// Returns a run that is in a state that was visited before; nil if the state cannot be reached again.
  ///
  /// The first time, repeats the move that led to the state, which must lead there again.
  private mutating func run(at index: Int) async -> FlowRun? {
    let node = nodes[index]
    if let run = node.run {
      nodes[index].run = nil
      return run
    }
    if node.isRepeatable == false { return nil }
    if explorer.guide != nil || node.canBeContinued && explorer.nextRoot == nil {
      return FlowRun(of: explorer, continuing: node.state)
    }
    guard let run = await repeated(node.origin) else { return nil }
    if await key(of: run.state) == node.key {
      nodes[index].isRepeatable = true
      return run
    }
    run.close()
    nodes[index].isRepeatable = false
    walk.note(.isNotRepeatable, at: node.path)
    return nil
  }

  private mutating func repeated(_ origin: VisitedState.Origin) async -> FlowRun? {
    switch origin {
    case .start(let input):
      let run = FlowRun(of: explorer)
      _ = await run.start(explorer.flow, input: input)
      return run
    case .move(let move, let index):
      guard let run = await run(at: index) else { return nil }
      _ = await run.make(move)
      return run
    }
  }

  // MARK: Moves

  private mutating func make(_ move: FlowMove, from index: Int) async {
    guard let run = await run(at: index) else { return }
    let answer = await run.make(move)
    let state = await run.state
    walk.moves += 1
    note(answer, to: move, at: index)
    if case .refused(let error) = answer { explorer.whenRefused?(nodes[index].path + [move.text], error) }
    note(state.failures(since: nodes[index].state), answer, to: move, at: nodes[index])
    await explorer.guide?.happened(FlowStep(before: nodes[index].state, move: move, answer: answer, after: state))
    switch answer {
    case .refused(.failed), .taken:
      await arrive(in: run, from: .move(move, from: index), path: nodes[index].path + [move.text])
    case .refused:
      // A refusal changes nothing, so the run is still in the same state.
      nodes[index].run = run
    case .stuck:
      run.close()
    }
  }

  private mutating func note(_ answer: FlowRun.Answer, to move: FlowMove, at index: Int) {
    let node = nodes[index]
    if let fault = move.fault(in: answer, canGoBack: node.state.window.top?.back ?? false) {
      walk.note(fault, at: node.path)
    }
    switch (move.kind, answer) {
    case (.event, _): offers.note(answer, to: move.place)
    case (.outsideEvent(let event), _):
      if case .taken = answer { nodes[index].isLeftFromOutside = true }
      offers.note(answer, to: .outside(event))
    default: break
    }
  }

  private mutating func note(
    _ failures: [(flow: String, failure: Failure)], _ answer: FlowRun.Answer, to move: FlowMove, at node: VisitedState
  ) {
    var failures = failures
    // A coordinator that fails while it starts leaves no trace except the answer.
    if failures.isEmpty, case .refused(.failed(let failure)) = answer { failures = [(move.place.flow, failure)] }
    for (flow, failure) in failures { walk.note(.fails(flow: flow, failure), at: node.path + [move.text]) }
  }

  // MARK: States

  /// Examines the state that a run is in, and ends the run, unless the only possible move in that state happens by itself.
  private mutating func arrive(in run: FlowRun, from origin: VisitedState.Origin, path: [String]) async {
    let state = await run.state
    let key = await key(of: state)
    guard state.isAlive, indices[key] == nil, nodes.count < explorer.maxStates else {
      if !state.isAlive { end(run, in: state, from: origin, path: path) } else if indices[key] == nil { walk.isComplete = false }
      return run.close()
    }
    let index = nodes.count
    let node = VisitedState(key: key, state: state.withCopiedSecrets, origin: origin, path: path + [state.label])
    var moves = explorer.moves(in: state)
    if let guide = explorer.guide { moves = await guide.moves(in: state, from: moves) }
    indices[key] = index
    nodes.append(node)
    look(at: node, moves)
    if let loss = await run.loss(byRestartIn: state) { walk.note(.doesNotSurviveRestart(loss), at: node.path) }
    if explorer.guide != nil, moves.count == 1, moves[0].happensByItself {
      nodes[index].run = run
      return await make(moves[0], from: index)
    }
    frontier.add(moves, from: index)
    run.close()
  }

  private func key(of state: TreeState) async -> StateKey {
    guard let guide = explorer.guide else {
      return StateKey(state, countingTo: explorer.countingTo, inTexts: explorer.nextRoot != nil)
    }
    return StateKey(await guide.key(of: state))
  }

  private mutating func look(at node: VisitedState, _ moves: [FlowMove]) {
    for screen in node.state.window.screens {
      if screen.content.hasAmbiguousChoice { walk.note(.hasAmbiguousChoice(screen: screen.content.name), at: node.path) }
    }
    routes.note(node.state)
    guard let shown = node.state.window.top else { return }
    let top = shown.content
    for message in shown.messages where !walk.messages.contains(message.code) { walk.messages.append(message.code) }
    for event in top.events {
      let place = node.state.place(of: event)
      offers.note(place, canBeTried: moves.contains { $0.place == place }, at: node.path)
    }
    walk.offered.formUnion(top.events)
    answers.note(top)
    guard walk.paths[top.name] == nil else { return }
    walk.paths[top.name] = node.path
    walk.screens.append(top.name)
  }

  private mutating func end(_ run: FlowRun, in state: TreeState, from origin: VisitedState.Origin, path: [String]) {
    guard let outcome = state.outcomes[state.root] else { return }
    for rest in state.rest(runningWork: run.runningWork) { walk.note(.leavesBehind(rest), at: path + [outcome.name]) }
    if case .move(let move, _) = origin, case .dismiss = move.kind { return }
    if !walk.outcomes.contains(outcome) { walk.outcomes.append(outcome) }
  }

  /// The part of the last state that keeps growing, if walking further would not end; nil otherwise.
  private func growth() async -> String? {
    var way: [TreeState] = []
    var next: Int? = nodes.indices.last
    while let index = next {
      way.append(nodes[index].state)
      if case .move(_, let from) = nodes[index].origin { next = from } else { next = nil }
    }
    var growth = Growth()
    for state in way.reversed() { growth.add(await explorer.guide?.sizes(of: state) ?? state.sizes) }
    return growth.text
  }

  private mutating func conclude() {
    walk.states = nodes.count
    for node in nodes where node.state.isDeadEnd && !node.isLeftFromOutside {
      walk.note(.isDeadEnd(screen: node.state.window.top?.content.name), at: node.path)
    }
    offers.report(to: &walk)
    routes.report(to: &walk, of: explorer)
    answers.report(to: &walk)
  }
}

extension FlowMove {
  /// Returns what is wrong with a flow's answer to the move.
  ///
  /// - Parameters:
  ///   - answer: the answer to the move.
  ///   - canGoBack: whether the top screen offers Back.
  /// - Returns: the fault, or nil if there is none, or if it can only be determined from all answers together.
  func fault(in answer: FlowRun.Answer, canGoBack: Bool) -> FlowProblem.Kind? {
    switch (kind, answer) {
    case (.event, .refused(.unknownEvent(let unknown))): .nobodyTakes(screen: place.screen, event: unknown.event)
    case (.back, .taken): canGoBack ? nil : .backIsTaken(screen: place.screen)
    case (.back, .refused(.refused(.notDismissable))): nil
    case (.back, .refused(.refused)), (.back, .refused(.failed)): canGoBack ? nil : .backIsTaken(screen: place.screen)
    case (.back, .refused(let error)): .backIsRefused(screen: place.screen, error)
    case (.dismiss, .refused(let error)): .cancelIsRefused(screen: place.screen, error)
    case (.workEnds, .refused(.held(_, let reason))): .isHeld(flow: place.flow, reason)
    case (.workEnds, .stuck): .workDoesNotEnd(flow: place.flow)
    default: nil
    }
  }
}

/// The routes of each flow that were on top.
struct RouteCoverage {
  private var seen: [String: Set<AnyHashable>] = [:]

  /// Records the flows that run in a state, and the route that is on top.
  mutating func note(_ state: TreeState) {
    for record in state.coordinators.values where seen[record.flow] == nil { seen[record.flow] = [] }
    guard let top = state.window.top, let record = state.coordinators[top.coordinator] else { return }
    seen[record.flow]?.insert(AnyHashable(top.route))
  }

  /// Reports the routes that were never on top, where routes can be listed: those of the explored flow, and those of
  /// other flows that take no input. What a flow with input shows depends on the input.
  func report(to walk: inout FlowWalk, of explorer: FlowExplorer) {
    for (flow, seen) in seen.sorted(by: { $0.key < $1.key }) {
      let takesInput = explorer.catalogue.description(of: flow)?.input.fields.isEmpty == false
      guard flow == explorer.flow || !takesInput else { continue }
      for route in explorer.catalogue.routes(of: flow) ?? [] where !seen.contains(AnyHashable(route)) {
        walk.note(.routeIsUnreachable(flow: flow, route: String(describing: route)))
      }
    }
  }
}

/// A state that a walk has visited.
struct VisitedState {
  /// How the state was reached.
  enum Origin {
    case start(input: [String: JSONValue])
    /// By a move from the state with this index.
    case move(FlowMove, from: Int)
  }

  let key: StateKey
  let state: TreeState
  let origin: Origin
  /// The path to the state for people: screens and the moves on them, alternating.
  let path: [String]
  /// A run that is currently in this state, for the next move from it.
  var run: FlowRun?
  /// Whether the move that led here leads here again; nil until that has been tried.
  var isRepeatable: Bool?
  /// Whether an event from outside was taken in this state.
  var isLeftFromOutside = false

  /// Whether a run can start in this state. Not while work runs, since work cannot be resumed and its secrets are gone.
  var canBeContinued: Bool { isRepeatable == true && state.work.isEmpty }
}

/// Which of the answers given by a test are useful.
struct AnswerUse {
  private let answers: [String: [[String: JSONValue]]]
  /// By screen: the reasons why each of its answers does not fit; empty once the answer has fitted.
  private var misfits: [String: [[String: String]]] = [:]

  /// Creates a record without observations.
  init(_ answers: [String: [[String: JSONValue]]]) { self.answers = answers }

  /// Checks the answers for a screen that is on top.
  mutating func note(_ screen: Screen) {
    guard let given = answers[screen.name], let form = screen.form else { return }
    let reasons = given.map { form.schema.check($0) }
    misfits[screen.name] = misfits[screen.name].map { zip($0, reasons).map { $0.isEmpty ? $0 : $1 } } ?? reasons
  }

  /// Reports the answers that were never useful.
  func report(to walk: inout FlowWalk) {
    for screen in answers.keys.sorted() {
      guard let misfits = misfits[screen] else {
        walk.note(.neverComesUp(screen, in: .answers))
        continue
      }
      for reasons in misfits where !reasons.isEmpty { walk.note(.answerDoesNotFit(screen: screen, reasons)) }
    }
  }
}
