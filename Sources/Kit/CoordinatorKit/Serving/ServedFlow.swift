import Platform

/// Serves a flow without keeping anything that an answer depends on.
final class ServedFlow<C: Coordinator>: ServingFlow {
  /// A coordinator as its last answer left it, which saves reading the text if no answer was dropped.
  struct Recent: Sendable {
    let text: String
    let coordinator: ServedCoordinator<C>
    let running: RunningActor<C>
  }

  let make: @Sendable () -> C
  let recent = Lock(RecentValues<Recent>())
  let results = WorkResults<C.Product>()
  let routes = RouteTexts<C.Route>()
  /// What live screens are computed from, by instance.
  let live = Lock<[String: LiveBasis]>([:])

  init(_ make: @escaping @Sendable () -> C) { self.make = make }

  func decide(_ question: FlowQuestion, in catalogue: FlowCatalogue) async -> FlowAnswer {
    do {
      let known = recent.withLock { $0.take(question.instance.name) }
      return try await decide(question, in: catalogue, known.flatMap { $0.text == question.state ? $0 : nil })
    } catch let trouble as ProviderTrouble {
      return .trouble(trouble)
    } catch {
      return .trouble(.failed("the state of a coordinator of the flow \(C.flow.name) cannot be read: \(type(of: error))"))
    }
  }

  func forget(_ instance: String) {
    _ = recent.withLock { $0.take(instance) }
    live.withLock { $0[instance] = nil }
  }

  // MARK: Deciding

  private func decide(_ question: FlowQuestion, in catalogue: FlowCatalogue, _ known: Recent?) async throws -> FlowAnswer {
    let coordinator = try known?.coordinator ?? ServedCoordinator(question.state, input: question.context.input)
    let reporting = C.Live.self == Never.self ? nil : live.withLock { $0[question.instance.name]?.running }
    let running = try known?.running ?? reporting ?? makeRunning(coordinator.input ?? question.context.input)
    let path = question.instance.path
    var transition = Transition(
      from: coordinator.tree(for: question), catalogue: catalogue, limits: .unlimited, at: Moment(unset: question.context.now),
      caller: question.context.caller)
    transition.recording = []
    guard let call = try call(question.event, of: coordinator, at: path, &transition, running, question.context.same)
    else {
      return .trouble(.failed("the work that has ended is not known"))
    }
    switch await running.handle(call, of: path, in: transition) {
    case .success(var after):
      keepBasis(question, after.after, running)
      // What is live is shown by ReportWork, and not stored.
      if let plain = await running.screensWithoutReport(of: path, in: after) { after = plain }
      var decision = try await decision(question, after, coordinator, running)
      decision.screens = changedScreens(of: path, in: after, coordinator)
      return .decided(decision)
    case .failure(let error): return FlowAnswer(thrown: error, at: question.event)
    }
  }

  private func makeRunning(_ input: [String: JSONValue]) throws -> RunningActor<C> {
    RunningActor(make(), input: try JSONValue.object(input).decoded(as: C.Input.self), canBeLeft: C.flow.canBeLeft)
  }

  private func decision(
    _ question: FlowQuestion, _ after: Transition, _ before: ServedCoordinator<C>, _ running: RunningActor<C>
  ) async throws -> FlowDecision {
    let operations = after.recording ?? []
    guard let record = after.after.coordinators[question.instance.path] else {
      return FlowDecision(state: "", operations: operations)
    }
    let coordinator = ServedCoordinator<C>(record, in: after.after, input: before.input)
    let text = try coordinator.text(turn: question.turn, routes: routes)
    recent.withLock { $0.keep(Recent(text: text, coordinator: coordinator, running: running), question.instance.name) }
    let canBeCancelled = await running.canBeCancelled(at: question.instance.path, in: after)
    return FlowDecision(state: text, operations: operations, canBeCancelled: canBeCancelled)
  }

  private func changedScreens(
    of path: CoordinatorPath, in after: Transition, _ before: ServedCoordinator<C>
  ) -> [String: DescribedScreen] {
    guard after.after.coordinators[path] != nil else { return [:] }
    var changed: [String: DescribedScreen] = [:]
    for screen in after.window.screens where screen.coordinator == path {
      if let old = before.shown[screen.id], old.back == screen.back, old.content == screen.content { continue }
      changed[screen.id.description] = DescribedScreen(screen.content, back: screen.back)
    }
    return changed
  }
}

extension FlowAnswer {
  /// What an error means that a handler threw.
  fileprivate init(thrown error: any Error, at event: FlowQuestion.Event) {
    switch error {
    case is EventNotTaken where event.canBubble: self = .notTaken
    case let refusal as Refusal where event.canBeRefused: self = .refused(refusal)
    case let invalid as InvalidPayload where event.canBeRefused: self = .refused(.invalidPayload(invalid.fields))
    case let trouble as ProviderTrouble: self = .trouble(trouble)
    default: self = .failed(Failure(thrown: error))
    }
  }
}

extension Limits {
  /// The daemon checks the limits of a tree: here, only a part of the tree is known.
  fileprivate static let unlimited: Limits = {
    var limits = Limits()
    (limits.maxInputSize, limits.maxHandlers) = (.max, .max)
    return limits
  }()
}
