import Platform

/// Serves a flow without keeping state that an answer depends on.
final class ServedFlow<C: Coordinator>: ServingFlow {
  /// A coordinator after its last answer, which saves decoding the text if no answer was dropped.
  struct Recent: Sendable {
    let text: String
    let coordinator: ServedCoordinator<C>
    let running: RunningActor<C>
  }

  let make: @Sendable () -> C
  let recent = Lock(RecentValues<Recent>())
  let results = WorkResults<C.Product>()
  let routes = RouteTexts<C.Route>()
  /// The data that live screens are computed from, by instance.
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
      // ReportWork shows live values, which are not stored.
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
  /// The answer for an error that a handler threw.
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
  /// The daemon checks the limits of a tree, because this process knows only a part of the tree.
  fileprivate static let unlimited: Limits = {
    var limits = Limits()
    (limits.maxInputSize, limits.maxHandlers) = (.max, .max)
    return limits
  }()
}

/// The texts of a flow's routes, which are encoded once. May be used from any thread.
final class RouteTexts<Route: RouteValue>: Sendable {
  /// The maximum number of texts.
  private static var capacity: Int { 64 }

  private let texts = Lock<[Route: String]>([:])

  /// Returns the text of a route.
  ///
  /// - Throws: `EncodingError` if the route cannot be represented in JSON.
  func text(of route: Route) throws -> String {
    if let known = texts.withLock({ $0[route] }) { return known }
    let text = try StoredText.encode(route)
    texts.withLock { texts in
      if texts.count >= Self.capacity { texts = [:] }
      texts[route] = text
    }
    return text
  }
}

/// Recently used values, by name. Values that have not been used for a long time are dropped.
struct RecentValues<Value: Sendable>: Sendable {
  /// Half of the maximum number of values.
  private static var capacity: Int { 512 }

  private var young: [String: Value] = [:]
  private var old: [String: Value] = [:]

  /// Removes and returns a value.
  mutating func take(_ name: String) -> Value? {
    if let value = young.removeValue(forKey: name) { return value }
    return old.isEmpty ? nil : old.removeValue(forKey: name)
  }

  /// Keeps a value.
  mutating func keep(_ value: Value, _ name: String) {
    if young.count >= Self.capacity {
      old = young
      young = [:]
    }
    young[name] = value
  }
}

/// A flow that this process serves, independent of the type of its coordinator.
protocol ServingFlow: Sendable {
  /// Returns the decision on an event.
  func decide(_ question: FlowQuestion, in catalogue: FlowCatalogue) async -> FlowAnswer

  /// Performs a piece of work, and returns the text of its result.
  func perform(_ work: ProvidedWork, in catalogue: FlowCatalogue, _ context: SharedWorkContext) async throws -> String

  /// Computes the screens of a coordinator from a value that its work has reported.
  func screens(showing value: any Sendable, from work: ProvidedWork, of instance: String, in catalogue: FlowCatalogue) async
    -> [LiveScreen]?

  /// Discards the data in memory of a coordinator that has ended.
  func forget(_ instance: String)
}

extension ServedFlow {
  /// The data that the screens of a coordinator are computed from while its work reports live values.
  struct LiveBasis: Sendable {
    let path: CoordinatorPath
    /// The daemon's data on the coordinator, if it has accepted the last answer.
    let tree: TreeState
    let now: UInt64
    let running: RunningActor<C>
  }

  /// Keeps the data that live screens are computed from, while work runs.
  func keepBasis(_ question: FlowQuestion, _ after: TreeState, _ running: RunningActor<C>) {
    guard C.Live.self != Never.self else { return }
    let hasWork = after.coordinators[question.instance.path]?.work.isEmpty == false
    let basis = LiveBasis(path: question.instance.path, tree: after, now: question.context.now, running: running)
    live.withLock { $0[question.instance.name] = hasWork ? basis : nil }
  }

  func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, in catalogue: FlowCatalogue
  ) async -> [LiveScreen]? {
    guard let id = WorkID(text: work.id), let basis = live.withLock({ $0[instance] }) else { return nil }
    var transition = Transition(from: basis.tree, catalogue: catalogue, limits: Limits(), at: Moment(unset: basis.now))
    transition.recording = []
    let report = LiveReports.Report(work: id, value: value)
    guard case .success(let shown) = await basis.running.show(report, of: basis.path, in: transition),
      let plain = await basis.running.screensWithoutReport(of: basis.path, in: transition)
    else { return nil }
    return shown.window.screens.compactMap { screen in
      guard screen.coordinator == basis.path, let other = plain.window[screen.id] else { return nil }
      return LiveScreen(key: screen.id.description, content: screen.content, plain: other.content)
    }
  }
}

/// A screen of a served flow, with and without the values that its work has reported.
package struct LiveScreen: Sendable {
  /// The key of the screen in its coordinator.
  package let key: String
  package let content: Screen
  package let plain: Screen
}

/// Makes decisions for the coordinators of flows that this process serves to a daemon: calls their handlers, and returns the
/// operations that they recorded. Keeps no state that an answer depends on. May be used from any thread.
package struct FlowServer: Sendable {
  /// The flows.
  package let catalogue: FlowCatalogue
  private let flows: [String: any ServingFlow]

  /// Creates a server.
  ///
  /// - Parameter catalogue: the flows to serve.
  package init(_ catalogue: FlowCatalogue) {
    self.catalogue = catalogue
    flows = catalogue.servedFlows
  }

  /// Returns the decision on an event.
  ///
  /// - Parameter question: the question.
  /// - Returns: the answer.
  package func decide(_ question: FlowQuestion) async -> FlowAnswer {
    guard let flow = flows[question.instance.flow] else {
      return .trouble(.failed("this program does not serve the flow \(question.instance.flow)"))
    }
    return await flow.decide(question, in: catalogue)
  }

  /// Performs a piece of work.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - flow: the name of the flow.
  ///   - context: provides the secrets, and reports progress.
  /// - Returns: the text of the result.
  /// - Throws: `CancellationError` if the work was cancelled; ``ProviderTrouble`` if it is unknown.
  package func perform(_ work: ProvidedWork, of flow: String, in context: SharedWorkContext) async throws -> String {
    guard let served = flows[flow] else { throw ProviderTrouble.failed("this program does not serve the flow \(flow)") }
    return try await served.perform(work, in: catalogue, context)
  }

  /// Computes the screens of a coordinator from a value that its work has reported.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - work: the work.
  ///   - instance: the name of the coordinator's instance.
  ///   - flow: the name of the flow.
  /// - Returns: the screens; nil if no question about the coordinator arrived while the work ran.
  package func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]? {
    await flows[flow]?.screens(showing: value, from: work, of: instance, in: catalogue)
  }

  /// Returns whether the work of a flow shows live values.
  package func showsLiveValues(_ flow: String) -> Bool { catalogue.showsLiveValues(flow) }

  /// Discards the data in memory of a coordinator that has ended.
  ///
  /// - Parameter instance: the name of the instance.
  package func forget(_ instance: String) { for flow in flows.values { flow.forget(instance) } }
}
