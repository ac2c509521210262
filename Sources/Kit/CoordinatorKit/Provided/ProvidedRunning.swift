import Platform

/// Asks a provider before each handler of a provided coordinator is called.
final class ProvidedRunning: RunningCoordinator {
  private let flow: String
  private let canBeLeft: Bool
  private let provider: any FlowProvider
  private let answer: ProvidedAnswer
  private let running: RunningActor<ProvidedCoordinator>
  private let lastTurn = Lock<UInt64>(0)
  /// The attempts to ask questions whose answers are optional: for screens in another language, and about viewers. No caller
  /// waits for these answers, and no hold records them.
  private let optional = Lock<[Bool: AskingHistory]>([:])

  init(flow: String, provider: any FlowProvider, input: [String: JSONValue], canBeLeft: Bool) {
    self.flow = flow
    self.canBeLeft = canBeLeft
    self.provider = provider
    answer = ProvidedAnswer()
    running = RunningActor(
      ProvidedCoordinator(provider: provider, answer: answer), input: ProvidedValues(.object(input)), canBeLeft: canBeLeft)
  }

  var isProvided: Bool { true }

  /// Returns a number above those of the questions that were asked before a restart.
  ///
  /// Questions whose answers were dropped are not stored. The wall clock is ahead of them, unless it was set back; in that
  /// case, the monotonic clock prevents numbers from being used twice.
  private static func turn(after stored: UInt64, in transition: Transition) -> UInt64 {
    stored < transition.now ? transition.now : stored &+ transition.elapsed.microseconds % (1 << 32)
  }

  func prepare(
    _ call: HandlerCall, of path: CoordinatorPath, in transition: Transition, after history: AskingHistory,
    within time: Duration
  ) async -> AskingHistory {
    guard let record = transition.after.coordinators[path], let state = record.state as? ProvidedCoordinator.State,
      let event = FlowQuestion.Event(call, productOf: { self.running.product(of: $0) })
    else { return history }
    let instance = FlowInstance(flow: flow, path: path, startedAt: record.startedAt)
    var asked = call.isOptional ? optional.withLock { $0[call.isRedrawing] } ?? AskingHistory() : history
    asked.begin(for: instance)
    guard !call.isOptional || asked.allowsAsking(provider.server(of: flow)) else {
      answer.leave(.nothing)
      return history
    }
    let turn = lastTurn.withLock { last in
      last = max(last, last == 0 ? Self.turn(after: state.turn, in: transition) : state.turn) + 1
      return last
    }
    let question = FlowQuestion(
      instance: instance, turn: turn, state: state.text, event: event,
      context: FlowQuestion.Context(of: record, in: transition, call))
    let known = state.turn == 0 ? nil : ServingProgram(name: state.server, version: state.version)
    let (decided, after) = await provider.decide(question, as: known, after: asked, within: time)
    let server = after.program
    if let server { answer.set(instance, server: server.name) }
    if call.isOptional { note(decided, after, call, of: path) }
    switch decided {
    case .decided(let decision):
      guard let server else { return after }
      leave(.decided(decision, ProvidedCoordinator.Source(turn: turn, server: server, canBeLeft: canBeLeft)), call)
    case .refused(let refusal):
      leave(.thrown(event.canBeRefused ? refusal : ProviderTrouble.failed("the provider refused: \(refusal)")), call)
    case .notTaken:
      let isLeft = event.canBubble
      leave(
        .thrown(isLeft ? EventNotTaken(event: event.name) : ProviderTrouble.failed("the provider left what it must take")), call)
    case .failed(let failure): leave(.thrown(failure), call)
    case .trouble(let trouble): leave(.thrown(trouble), call)
    }
    return after
  }

  /// Records the result of an optional question.
  private func note(_ answer: FlowAnswer, _ history: AskingHistory, _ call: HandlerCall, of path: CoordinatorPath) {
    var history = history
    switch answer {
    case .trouble(.gone): break
    case .trouble(let trouble):
      history = history.failed()
      provider.note(trouble, of: path)
    case .decided, .refused, .notTaken, .failed: history = AskingHistory()
    }
    optional.withLock { $0[call.isRedrawing] = history }
  }

  /// Leaves an answer. A provider that is away, or that does not support languages or viewers, has no effect on the flow: its
  /// screens do not change.
  private func leave(_ content: ProvidedAnswer.Content, _ call: HandlerCall) {
    if call.isOptional, case .thrown = content { return answer.leave(.nothing) }
    answer.leave(content)
  }

  func isRestored(as record: CoordinatorRecord) {
    guard let state = record.state as? ProvidedCoordinator.State else { return }
    answer.set(FlowInstance(flow: flow, path: record.path, startedAt: record.startedAt), server: state.server)
  }

  func handle(_ call: HandlerCall, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult {
    // The decision is carried out without a handler where the handler's arguments would be the provider's. If the provider was
    // asked for its screens in another language, they change as in any handler.
    if call.isOnlyForProvider || call.isOptional && answer.isWaiting {
      return await running.act(of: path, in: transition) { try $0.act() }
    }
    guard case .parentSent(let message, let secrets) = call, !(message is ProvidedValues) else {
      return await running.handle(call, of: path, in: transition)
    }
    guard let values = JSONValue(of: message) else {
      return .failure(HandlerMismatch.messageOfAnotherType(path))
    }
    return await running.handle(.parentSent(ProvidedValues(values), secrets), of: path, in: transition)
  }

  func show(_ report: LiveReports.Report, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult {
    await running.show(report, of: path, in: transition)
  }

  func perform(_ record: WorkRecord, in context: WorkContext) async { await running.perform(record, in: context) }

  func failure(of work: WorkID) -> Failure? { running.failure(of: work) }

  func discardProduct(of id: WorkID) { running.discardProduct(of: id) }

  func canBeCancelled(at path: CoordinatorPath, in transition: Transition) async -> Bool {
    if await running.canBeCancelled(at: path, in: transition) { return true }
    return provider.isAway(flow)
  }
}

extension FlowQuestion.Event {
  /// Creates the question for a handler call; nil if the provider is not asked.
  fileprivate init?(_ call: HandlerCall, productOf: (WorkID) -> WorkResult<String>?) {
    switch call {
    case .restored: self = .language
    case .looking(let isLooking): self = .looking(isLooking)
    case .start: self = .start
    case .receive(let event, let route):
      guard let route = route as? ProvidedCoordinator.Route else { return nil }
      self = .event(name: event.name, key: route.key, payload: event.payload.values, secrets: event.payload.names)
    case .receiveFromChild(let event, let child):
      self = .fromChild(child, name: event.name, payload: event.payload.values, secrets: event.payload.names)
    case .receiveWithoutScreen(let event):
      self = .script(name: event.name, payload: event.payload.values, secrets: event.payload.names)
    case .wentBack(let route):
      guard let route = route as? ProvidedCoordinator.Route else { return nil }
      self = .back(key: route.key)
    case .childEnded(let child, let outcome, let secrets):
      self = .childEnded(child, outcome, secrets: secrets.keys.sorted())
    case .childEmitted(let output, let secrets):
      self = .output(output.child, output.json ?? .object([:]), secrets: secrets.keys.sorted())
    case .parentSent(let message, let secrets):
      self = .message(JSONValue(of: message) ?? .object([:]), secrets: secrets.keys.sorted())
    case .workEnded(let record):
      guard let work = record.work as? ProvidedWork else { return nil }
      switch (record.result, productOf(record.id)) {
      case (let result?, _): self = .workEnded(id: work.id, result)
      case (nil, .done(let value)): self = .workEnded(id: work.id, .done(value))
      case (nil, .failed(is ProvidedWork.Interrupted)): self = .workInterrupted(id: work.id)
      case (nil, .failed(let error)):
        let trouble = error as? ProvidedWork.Trouble
        self = .workEnded(
          id: work.id, .failed(trouble ?? ProvidedWork.Trouble(type: "\(type(of: error))", message: "\(error)")))
      case (nil, nil): return nil
      }
    case .workInterrupted(let record):
      guard let work = record.work as? ProvidedWork else { return nil }
      self = .workInterrupted(id: work.id)
    case .secretsLost(let names): self = .secretsGone(names.sorted())
    case .timerFired(let record):
      guard let timer = record.timer as? ProvidedCoordinator.Timer else { return nil }
      self = .timer(key: timer.key)
    case .migrated(let version): self = .migrate(from: version)
    }
  }

  /// Whether a caller may wait for the result.
  var canBeRefused: Bool {
    switch self {
    case .workEnded, .workInterrupted, .secretsGone, .timer, .language, .looking, .migrate: false
    default: true
    }
  }

  /// Whether the event can be left to the parent.
  var canBubble: Bool {
    switch self {
    case .event, .fromChild, .script: true
    default: false
    }
  }

  /// The name of the event that the user sent; "" for a call without one.
  fileprivate var name: String {
    switch self {
    case .event(let name, _, _, _), .fromChild(_, let name, _, _), .script(let name, _, _): name
    default: ""
    }
  }
}

extension FlowQuestion.Context {
  fileprivate init(of record: CoordinatorRecord, in transition: Transition, _ call: HandlerCall) {
    let children = transition.children(of: record.path)
    self.init(
      input: record.input,
      screens: transition.window.screens.compactMap {
        $0.coordinator == record.path ? ($0.route as? ProvidedCoordinator.Route)?.key : nil
      },
      children: children,
      work: record.work.compactMap { ($0.work as? ProvidedWork)?.id }, secrets: record.secretNames.sorted(),
      router: record.router, caller: transition.caller, language: transition.after.languageName,
      now: transition.now, lastScreen: transition.after.lastScreen)
    for child in children { childScreens[child.path] = transition.window.ids(of: child.path).first }
    same = record.belongings.secrets.equalOnes(call.allSecrets)
    isRetried = transition.retried == record.path
  }
}

extension Payload {
  fileprivate var names: [String] { secrets.keys.sorted() }
}

extension HandlerCall {
  /// Whether only the provider understands the call: its work, and the state that an older version has stored.
  fileprivate var isOnlyForProvider: Bool {
    switch self {
    case .workEnded, .migrated: true
    default: false
    }
  }

  /// The secrets that come with the event.
  fileprivate var allSecrets: [String: Secret] {
    switch self {
    case .receive(let event, _), .receiveFromChild(let event, _), .receiveWithoutScreen(let event): event.payload.secrets
    default: secrets
    }
  }
}

extension [String: Secret] {
  /// Returns the secrets, among these kept ones and those of an event, that equal another secret, each with the name of that.
  fileprivate func equalOnes(_ event: [String: Secret]) -> [String: String] {
    guard count + event.count > 1 else { return [:] }
    let kept = sorted { $0.key < $1.key }.map { (FlowDecision.keptPrefix + $0.key, $0.value) }
    let all = event.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + kept
    var same: [String: String] = [:]
    for (index, (name, secret)) in all.enumerated() {
      same[name] = all[..<index].first { same[$0.0] == nil && $0.1.matches(secret) }?.0
    }
    return same
  }
}
