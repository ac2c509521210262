/// One attempt at a transition: determines which handler to call next, and the result.
///
/// A value that makes decisions but calls nothing. ``FlowTree`` has the coordinators: it does what ``next()`` returns,
/// and passes the result back.
///
/// `@inline(never)` keeps the frames of the tree's asynchronous functions, which are on the heap, small.
struct TransitionAttempt: Sendable {
  /// The next step.
  enum Step: Sendable {
    /// Call a handler, and pass back its result.
    case call(HandlerCall, CoordinatorPath)
    /// Ask a coordinator whether `Dismiss` may end it, and pass back its answer.
    case askWhetherCancellable(CoordinatorPath)
    /// Discard the result of work that was cancelled.
    case discardProduct(WorkID, CoordinatorPath)
    /// Stop, with this verdict.
    case end(Verdict)
  }

  /// The result of a transition, before it is stored.
  enum Verdict: Sendable {
    case complete(CompleteTransition, TreeAnswer?)
    case refused(CallError)
    /// No caller waits for the event, and it cannot be handled for this reason: its coordinator must be held.
    case held(CoordinatorPath, Hold.Obstacle)
    /// A handler of this coordinator threw an error that is not a refusal.
    case failed(CoordinatorPath, Failure)
  }

  /// The transition so far.
  private(set) var transition: Transition
  private let cause: Cause
  /// The second transition of rule 3: these coordinators threw, and end as failed; nil in the first one.
  private let failures: [CoordinatorPath: Failure]?
  private let occasion: Occasion
  private var hasBegun = false
  private var handlerCount = 0
  /// The coordinator whose handler is being called.
  private var callee: CoordinatorPath
  /// The event that moves up the tree until a coordinator takes it (rule 9).
  private var offered: Event?
  /// The end of the child that is being delivered to the coordinator.
  private var told: ChildEndRecord?
  /// Whether a provider has decided any part of the transition.
  private var isProvided = false
  /// The history of asking the provider that was asked last.
  private var history = AskingHistory()
  /// The coordinator that ends once its handler has returned, because the user went back from its first screen (rule
  /// 5).
  private var leaving: CoordinatorPath?
  private var answer: TreeAnswer?
  /// A step that takes precedence over all others.
  private var due: Step?

  /// Creates an attempt that has not begun.
  ///
  /// - Parameters:
  ///   - cause: the cause of the transition.
  ///   - failures: the coordinators to end as failed, instead of handling the cause; nil to handle the cause.
  ///   - occasion: the entry for the history.
  ///   - transition: a transition without changes.
  init(_ cause: Cause, failures: [CoordinatorPath: Failure]? = nil, _ occasion: Occasion, _ transition: Transition) {
    self.cause = cause
    self.failures = failures
    self.occasion = occasion
    self.transition = transition
    callee = transition.before.root
  }

  /// Returns the next step.
  @inline(never)
  mutating func next() -> Step {
    if let step = due.take() { return step }
    do {
      if !hasBegun {
        hasBegun = true
        try begin()
        if let step = due.take() { return step }
      }
      while let step = transition.nextStep() {
        if step.callsHandler { handlerCount += 1 }
        guard handlerCount <= transition.limits.maxHandlers else { throw Refusal.tooManyHandlers(transition.limits) }
        call(step)
        if let step = due.take() { return step }
      }
      return .end(try finish())
    } catch {
      return .end(verdict(on: error))
    }
  }

  /// Accepts the result of a handler.
  @inline(never)
  mutating func take(_ result: HandlerResult) {
    switch result {
    case .success(let changed):
      transition = changed
      offered = nil
      leave()
    case .failure(let error):
      if !postpones(for: error) { bubble(error) }
    }
  }

  /// Stores the end of a child for its parent if no caller waits for an answer and the parent's provider did not answer, which
  /// is not the child's fault.
  private mutating func postpones(for error: any Error) -> Bool {
    guard let trouble = error as? ProviderTrouble, let end = told.take(), !cause.hasCaller, callee != owner else { return false }
    transition.postpone(end, of: callee, because: .provider(trouble, history))
    return true
  }

  /// Accepts the answer of a coordinator that was asked whether a client may cancel it.
  mutating func take(canBeCancelled: Bool) {
    guard case .call(.dismiss(let path, let animated, _), _, _) = cause else { return }
    guard canBeCancelled else {
      let flow = transition.after.coordinators[path]?.flow ?? ""
      return fail(Refusal.notDismissable("\(flow) cannot be dismissed now"))
    }
    transition.end(path, .cancelled, animated: animated)
  }

  /// Ends the attempt because the requested step failed.
  mutating func fail(_ error: any Error) { due = .end(verdict(on: error)) }

  // MARK: Beginning

  private mutating func begin() throws {
    if let failures {
      for (path, failure) in failures.sorted(by: { $0.key.depth > $1.key.depth }) { transition.end(path, .failed(failure)) }
      return
    }
    switch cause {
    case .start(let flow, let input, let language, _, let takesProposals):
      guard transition.before.coordinators.isEmpty else {
        throw Refusal.denied("the flow tree \(callee) has already been started")
      }
      try transition.startRoot(flow: flow, input: input, language: language)
      if takesProposals { transition.openLanguage() }
    case .call(let call, _, _):
      try begin(call)
    case .close(let isTimeout):
      transition.isTimeout = isTimeout
      transition.end(transition.before.root, .cancelled)
    case .work(let path, let id):
      if let record = transition.takeWork(id, of: path) {
        call(.workEnded(record), of: path)
      } else {
        due = .discardProduct(id, path)
      }
    case .interruption(let path, let id):
      if let record = transition.takeWork(id, of: path) { call(.workInterrupted(record), of: path) }
    case .lostSecrets(let path):
      let names = transition.takeLostSecrets(of: path)
      if !names.isEmpty { call(.secretsLost(names), of: path) }
    case .looking(let path, let isLooking):
      if transition.after.coordinators[path]?.hold == nil { call(.looking(isLooking), of: path) }
    case .live, .renderers, .retry: break
    case .workResult(let instance, let work, let note): transition.keep(note, of: work, for: instance)
    case .childEnd(let path):
      if let end = transition.takeChildEnd(for: path) { call(.childEnded(end.child, end.outcome, [:]), of: path) }
    case .migration(let path, let version): call(.migrated(from: version), of: path)
    case .timer(let moment):
      // If the clock was set back, the alarm must be set again.
      transition.changesTimers = true
      if let (timer, path) = transition.takeDueTimer(at: moment) { call(.timerFired(timer), of: path) }
    }
  }

  /// Whether a caller can be refused.
  private var hasCaller: Bool { failures == nil && cause.hasCaller }

  private mutating func begin(_ call: TreeCall) throws {
    let state = transition.before
    if call.isUse { transition.closeLanguage() }
    switch call {
    case .delegate(let path, let screen?, let event, let payload, let seen):
      let admitted = try transition.speaking { try state.admit(event, payload: payload, on: screen, of: path, seen: seen) }
      transition.clearAttached(on: screen)
      if admitted.screen.content.isForm(sentBy: event) {
        transition.keep(draft: [:], on: screen)
        transition.holdSent(admitted.payload.values, of: admitted.screen)
      }
      if event == ReviewRow.change, admitted.screen.content.offersChange {
        return try transition.change(answerOn: admitted.payload, reviewedOn: admitted.screen)
      }
      let event = Event(name: event, payload: admitted.payload, screen: screen)
      offer(event, .receive(event, route: admitted.screen.route), to: path)
    case .delegate(let path, nil, let event, let payload, _):
      guard state.coordinators[path] != nil else { throw CallError.unknownCoordinator(path) }
      let event = Event(name: event, payload: Payload(values: payload, secrets: [:]), screen: nil)
      offer(event, .receiveWithoutScreen(event), to: path)
    case .back(let id):
      let screen = try state.admitBack(from: id)
      let owner = screen.coordinator
      if state.window.ids(of: owner).first == id { leaving = owner }
      transition.holdForms(leftBy: screen)
      transition.goBack(from: screen)
      transition.restoreForm()
      self.call(.wentBack(route: screen.route), of: owner)
    case .dismiss(let path, let animated, let isForced):
      guard state.coordinators[path] != nil else { throw CallError.unknownCoordinator(path) }
      // A tree in which a coordinator is held can always be ended.
      if isForced || path == state.root && !state.holds.isEmpty {
        return transition.end(path, .cancelled, animated: animated)
      }
      due = .askWhetherCancellable(path)
    case .startChild(let parent, let flow, let input, let router):
      guard state.coordinators[parent] != nil else { throw CallError.unknownCoordinator(parent) }
      if transition.catalogue[flow]?.description.isInternal == true { throw Refusal.isInternal(flow) }
      answer = try transition.startChild(of: parent, flow: flow, input: input, router: router).map { .child($0.path) }
    case .proposeLanguage(let language): transition.takeProposal(of: language)
    case .saveDraft(let id, let values):
      transition.keep(draft: try state.admit(draft: values, on: id, limit: transition.limits.maxDraftSize), on: id)
    }
  }

  // MARK: Handlers

  /// Calls a handler that an earlier handler scheduled.
  private mutating func call(_ step: Transition.Step) {
    switch step {
    case .start(let path): call(.start, of: path)
    case .childEnded(let child, let outcome, let secrets):
      guard let parent = child.path.parent else { return }
      let end = ChildEndRecord(child: child, outcome: outcome)
      if let obstacle = transition.postponed[parent] { return transition.postpone(end, of: parent, because: obstacle) }
      call(.childEnded(child, outcome, secrets), of: parent)
      told = end
    case .childEmitted(let output, let secrets):
      if let parent = output.child.path.parent { call(.childEmitted(output, secrets), of: parent) }
    case .parentSent(let message, let child, let secrets): call(.parentSent(message, secrets), of: child)
    case .redraw(let path): call(.restored, of: path)
    }
  }

  private mutating func call(_ handler: HandlerCall, of path: CoordinatorPath) {
    told = nil
    guard transition.isAlive(path) else { return leave() }
    if let hold = transition.after.coordinators[path]?.hold, !handler.isRedrawing {
      let obstacle: Hold.Obstacle = path == owner ? .same : .otherHold("\(path) is held: \(hold.reason)")
      due = .end(hasCaller ? .refused(hold.error(at: path)) : .held(owner, obstacle))
      return
    }
    callee = path
    if !isProvided { isProvided = isProvided(path) }
    due = .call(handler, path)
  }

  /// Offers an event to a coordinator; ``bubble(_:)`` then offers it to the ancestors.
  private mutating func offer(_ event: Event, _ handler: HandlerCall, to path: CoordinatorPath) {
    offered = event
    call(handler, of: path)
  }

  private mutating func bubble(_ error: any Error) {
    guard let event = offered, error is EventNotTaken else { return fail(Thrown(path: callee, error: error)) }
    guard let parent = callee.parent, let child = transition.after.coordinators[callee]?.child else {
      return fail(CallError.unknownEvent(unhandled(event)))
    }
    call(.receiveFromChild(event, child), of: parent)
  }

  private func unhandled(_ event: Event) -> UnknownEvent {
    let path = cause.coordinator ?? callee
    return UnknownEvent(
      event.name, coordinator: path, screen: event.screen.flatMap { transition.before.window[$0]?.content.name })
  }

  private mutating func leave() {
    if let owner = leaving.take() { transition.end(owner, .cancelled) }
  }

  // MARK: The end

  private mutating func finish() throws -> Verdict {
    let isEmpty = transition.endIfNothingIsLeft()
    if isEmpty, case .start = cause { return .refused(.failed(.nothingToShow)) }
    try transition.checkLimits()
    return .complete(CompleteTransition(sealing: &transition, occasion), isEmpty ? nil : answer)
  }

  private func verdict(on error: any Error) -> Verdict {
    switch error {
    case let thrown as Thrown: return verdict(on: thrown)
    case let error as CallError: return .refused(error)
    case let trouble as ProviderTrouble:
      return hasCaller ? .refused(.provider(trouble)) : .held(owner, .provider(trouble, history))
    case let refusal as Refusal where hasCaller: return .refused(.refused(refusal))
    case let refusal as Refusal where isToBeHeld(for: refusal): return .held(owner, .refusal(refusal.description, history))
    // A decision of the provider exceeds a limit.
    case let refusal as Refusal where failures == nil && isProvided:
      return .held(owner, .provider(.failed(refusal.description), history))
    default: return .failed(failures == nil ? owner : transition.before.root, Failure(thrown: error))
    }
  }

  /// Returns the meaning of a thrown error: a refusal if there is a caller to refuse, otherwise the failure of the
  /// coordinator that threw it.
  private func verdict(on thrown: Thrown) -> Verdict {
    if hasCaller {
      switch thrown.error {
      case let refusal as Refusal: return .refused(.refused(refusal))
      case let invalid as InvalidPayload: return .refused(.invalidPayload(invalid.fields))
      case let refused as RefusedOperation where refused.refusal.isLimit: return .refused(.refused(refused.refusal))
      default: break
      }
    }
    let error = (thrown.error as? RefusedOperation)?.trouble ?? thrown.error
    if let trouble = error as? ProviderTrouble {
      return cause.hasCaller ? .refused(.provider(trouble)) : .held(owner, .provider(trouble, history))
    }
    if let refusal = thrown.error as? Refusal {
      if isToBeHeld(for: refusal) { return .held(owner, .refusal(refusal.description, history)) }
      if isProvided(thrown.path) { return .held(owner, .provider(.failed(refusal.description), history)) }
    }
    return .failed(thrown.path, Failure(thrown: thrown.error))
  }

  /// Records the history of asking a provider.
  mutating func keep(_ history: AskingHistory) { self.history = history }

  /// Records the results of work that were stored while a provider was asked.
  mutating func keepResults(of state: TreeState) { transition.keepResults(of: state) }

  private func isProvided(_ path: CoordinatorPath) -> Bool {
    (transition.after.coordinators[path] ?? transition.before.coordinators[path])?.state is ProvidedCoordinator.State
  }

  /// The coordinator that the cause concerns.
  private var owner: CoordinatorPath { cause.coordinator(in: transition.before) ?? transition.before.root }

  /// Whether coordinators that send each other values endlessly are at fault, and no caller can be refused (rule 1).
  private func isToBeHeld(for refusal: Refusal) -> Bool {
    failures == nil && refusal == .tooManyHandlers(transition.limits)
  }
}

/// An error that a handler threw, with the path of its coordinator.
private struct Thrown: Error {
  let path: CoordinatorPath
  let error: any Error
}
