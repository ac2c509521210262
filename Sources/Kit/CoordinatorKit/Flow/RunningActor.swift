import Languages
import Platform

/// A coordinator's actor, with the data of this instance.
final class RunningActor<C: Coordinator>: RunningCoordinator {
  private let actor: C
  private let input: C.Input
  /// ``FlowDescription/canBeLeft`` of the flow.
  private let canBeLeft: Bool
  /// The results of work whose end is in the tree's queue.
  private let products = Lock<[WorkID: WorkResult<C.Product>]>([:])

  init(_ actor: C, input: C.Input, canBeLeft: Bool) {
    self.actor = actor
    self.input = input
    self.canBeLeft = canBeLeft
  }

  func handle(_ call: HandlerCall, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult {
    var product: WorkResult<C.Product>?
    if case .workEnded(let record) = call { product = products.withLock { $0[record.id] } }
    let occasion = HandlerOccasion(path: path, source: call.source, secrets: call.secrets, isRedrawing: call.isRedrawing)
    return await actor.act(on: occasion, in: transition, input: input, canBeLeft: canBeLeft) { [product] in
      try $0.dispatch(call, path, product)
    }
  }

  /// Runs a closure on the actor as in a handler, and computes the actor's screens unless the closure throws.
  func act(
    of path: CoordinatorPath, in transition: Transition, _ body: @Sendable (isolated C) throws -> Void
  ) async -> HandlerResult {
    await actor.act(on: HandlerOccasion(path: path), in: transition, input: input, canBeLeft: canBeLeft, body)
  }

  func show(_ report: LiveReports.Report, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult {
    guard let value = report.value as? C.Live else { return .failure(HandlerMismatch.liveValueOfAnotherType(path)) }
    let last = await actor.exchangeReport((report.work, value))
    let result = await handle(.restored, of: path, in: transition)
    if case .success(let changed) = result, (try? changed.checkLimits()) != nil { return result }
    // Otherwise, later events would also fail.
    _ = await actor.exchangeReport(last)
    return .failure(HandlerMismatch.liveValueCannotBeShown(path))
  }

  /// Computes the coordinator's screens without the values that its work has reported; nil if there are none.
  func screensWithoutReport(of path: CoordinatorPath, in transition: Transition) async -> Transition? {
    guard let report = await actor.exchangeReport(nil) else { return nil }
    let result = await handle(.restored, of: path, in: transition)
    _ = await actor.exchangeReport(report)
    return try? result.get()
  }

  func perform(_ record: WorkRecord, in context: WorkContext) async {
    guard let work = record.work as? C.Work else { return }
    let result: WorkResult<C.Product>
    do { result = .done(try await actor.perform(work, in: context)) } catch { result = .failed(error) }
    products.withLock { $0[record.id] = result }
  }

  /// Returns the result of a piece of work; nil if it is not done.
  func product(of id: WorkID) -> WorkResult<C.Product>? { products.withLock { $0[id] } }

  func failure(of work: WorkID) -> Failure? {
    guard case .failed(let error)? = product(of: work), !(error is ProvidedWork.Interrupted) else { return nil }
    return Failure(thrown: error, by: "the work")
  }

  /// Stores the result of a piece of work that another process performed.
  func keep(_ result: WorkResult<C.Product>, of id: WorkID) { products.withLock { $0[id] = result } }

  func discardProduct(of id: WorkID) { _ = products.withLock { $0.removeValue(forKey: id) } }

  func canBeCancelled(at path: CoordinatorPath, in transition: Transition) async -> Bool {
    guard canBeLeft || path.parent != nil else { return false }
    return await actor.canBeCancelled(at: path, in: transition, input: input)
  }
}

/// The context in which a coordinator runs a closure.
private struct HandlerOccasion: Sendable {
  let path: CoordinatorPath
  /// The screen that the event came from.
  var source: ScreenID?
  /// The secrets that another coordinator passed.
  var secrets: [String: Secret] = [:]
  /// Whether only screens are computed.
  var isRedrawing = false
}

extension Coordinator {
  /// Replaces the last value that work reported, and returns it.
  fileprivate func exchangeReport(_ report: (work: WorkID, value: Live)?) -> (work: WorkID, value: Live)? {
    defer { context.reported = report }
    return context.reported
  }

  /// Reads the property with the same context as a handler; any changes that it makes are dropped.
  fileprivate func canBeCancelled(at path: CoordinatorPath, in transition: Transition, input: Input) -> Bool {
    guard let state = transition.after.coordinators[path]?.state as? State else { return true }
    context.state = state
    context.input = input
    context.scope = Context.Scope(transition: transition, path: path, source: nil, secrets: [:])
    defer { context.scope = nil }
    return canBeCancelled
  }

  /// Runs a closure in the language of the tree.
  fileprivate func act(
    on occasion: HandlerOccasion, in transition: Transition, input: Input, canBeLeft: Bool,
    _ body: @Sendable (isolated Self) throws -> Void
  ) -> HandlerResult {
    guard let language = transition.translation else { return change(transition, on: occasion, input, canBeLeft, body) }
    return Translation.$current.withValue(language) { change(transition, on: occasion, input, canBeLeft, body) }
  }

  private func change(
    _ transition: Transition, on occasion: HandlerOccasion, _ input: Input, _ canBeLeft: Bool,
    _ body: (isolated Self) throws -> Void
  ) -> HandlerResult {
    let path = occasion.path
    do {
      guard let record = transition.after.coordinators[path] else { throw HandlerMismatch.unknownCoordinator(path) }
      guard let state = record.state as? State else { throw HandlerMismatch.stateOfAnotherType(path) }
      context.state = state
      context.input = input
      context.scope = Context.Scope(transition: transition, path: path, source: occasion.source, secrets: occasion.secrets)
      defer { context.scope = nil }
      try body(self)
      guard let scope = context.scope else { throw HandlerMismatch.unknownCoordinator(path) }
      try complete(scope, canBeLeft: canBeLeft, isRedrawing: occasion.isRedrawing)
      return .success(scope.transition)
    } catch {
      return .failure(error)
    }
  }

  fileprivate func dispatch(_ call: HandlerCall, _ path: CoordinatorPath, _ product: WorkResult<Product>?) throws {
    switch call {
    case .start: try start()
    case .restored, .looking: break
    case .receive(let event, let route): try receive(event, on: own(route, path))
    case .receiveFromChild(let event, let child): try receive(event, from: child)
    case .receiveWithoutScreen(let event): try receive(event)
    case .wentBack(let route): try wentBack(from: own(route, path))
    case .childEnded(let child, let outcome, _): try childEnded(child, outcome: outcome)
    case .childEmitted(let output, _): try childEmitted(output)
    case .parentSent(let message, _):
      // The parent's flow may be served by another process, and then sends JSON.
      let sent = message as? Message ?? (message as? ProvidedValues).flatMap { try? $0.json.decoded() }
      guard let sent else { throw HandlerMismatch.messageOfAnotherType(path) }
      try parentSent(sent)
    case .workEnded(let record):
      guard let work = record.work as? Work, let product else { throw HandlerMismatch.noProduct(path) }
      try workEnded(work, with: product)
    case .workInterrupted(let record):
      guard let work = record.work as? Work else { throw HandlerMismatch.noProduct(path) }
      try workInterrupted(work)
    case .secretsLost(let names): try secretsLost(names)
    case .timerFired(let record):
      guard let timer = record.timer as? Timer else { throw HandlerMismatch.timerOfAnotherType(path) }
      try timerFired(timer)
    case .migrated: throw HandlerMismatch.stateOfAnotherType(path)
    }
  }

  private func own(_ route: any RouteValue, _ path: CoordinatorPath) throws(HandlerMismatch) -> Route {
    guard let route = route as? Route else { throw .routeOfAnotherType(path) }
    return route
  }

  /// Stores the state in the transition and computes the coordinator's screens from it (rule 4).
  ///
  /// A malformed screen is a programming error, and fails the coordinator before a user can answer it. A screen that an earlier
  /// version has shown is restored nevertheless if it can be checked, so that its flow is not held.
  private func complete(_ scope: Context.Scope, canBeLeft: Bool, isRedrawing: Bool) throws {
    if let breach = scope.transition.breach { throw breach }
    guard scope.transition.after.coordinators[scope.path] != nil else { return }
    // All are computed before any is stored, because a screen may be computed from the contents of the transition.
    var screens: [ComputedScreen] = []
    let ids = scope.transition.window.ids(of: scope.path)
    for id in ids {
      guard let shown = scope.transition.window[id] else { continue }
      let route = try own(shown.route, scope.path)
      let content = try screen(for: route).withoutSecrets.translated
      let isRestored = isRedrawing && shown.content == .notYetComputed
      if isRestored { try content.form?.validate() } else { try content.validate(since: shown.content) }
      let isRoot = scope.path.parent == nil
      let mayLeave = isRoot ? canBeLeft || id != ids.first : scope.transition.mayLeave(id)
      let back = shown.style != .root && mayLeave && allowsBack(from: route)
      screens.append(ComputedScreen(id: id, content: content, back: back, leaves: back && isRoot && id == ids.first))
    }
    scope.transition.complete(scope.path, state: state, screens)
  }
}

extension Screen {
  /// The screen with its form in the language of the task. The other parts are already translated; a form may be a constant.
  fileprivate var translated: Screen {
    guard let form, let language = Translation.current else { return self }
    var screen = self
    screen.form = form.translated(to: language)
    return screen
  }

  /// The screen without the values of secret fields, which its author may have set by mistake (rule 8).
  fileprivate var withoutSecrets: Screen {
    guard let form, !values.isEmpty else { return self }
    let secrets = form.schema.secretFields
    guard !secrets.isEmpty else { return self }
    var screen = self
    screen.values = values.filter { !secrets.contains($0.key) }
    return screen
  }
}

/// The requirements of a flow tree on a coordinator, independent of its type.
protocol RunningCoordinator: Sendable {
  /// Asks the process that decides for the coordinator, if it is another one. Called before ``handle(_:of:in:)``, and returns
  /// within the given time.
  ///
  /// - Returns: the attempts to ask about the event, including the previous ones.
  func prepare(
    _ call: HandlerCall, of path: CoordinatorPath, in transition: Transition, after history: AskingHistory,
    within time: Duration
  ) async -> AskingHistory

  /// Records the identity of the coordinator, after a restart and before its work continues.
  func isRestored(as record: CoordinatorRecord)

  /// Whether ``prepare(_:of:in:after:within:)`` has an effect.
  var isProvided: Bool { get }

  /// Calls a handler on the actor, and computes the coordinator's screens unless the handler throws.
  func handle(_ call: HandlerCall, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult

  /// Computes the coordinator's screens from a value that its work has reported, and keeps the value for later screens.
  func show(_ report: LiveReports.Report, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult

  /// Performs a piece of work, and keeps its result until ``HandlerCall/workEnded(_:)`` is handled.
  func perform(_ record: WorkRecord, in context: WorkContext) async

  /// Returns the failure of a piece of work whose end is being handled; nil if it did not fail.
  func failure(of work: WorkID) -> Failure?

  /// Discards the result of a piece of work that was handled, or that was cancelled after it was done.
  func discardProduct(of id: WorkID)

  /// Returns whether `Dismiss` may end the coordinator.
  func canBeCancelled(at path: CoordinatorPath, in transition: Transition) async -> Bool
}

extension RunningCoordinator {
  func prepare(
    _ call: HandlerCall, of path: CoordinatorPath, in transition: Transition, after history: AskingHistory,
    within time: Duration
  ) async -> AskingHistory { history }
  func isRestored(as record: CoordinatorRecord) {}
  var isProvided: Bool { false }
}

/// The handler to call.
enum HandlerCall: Sendable {
  case start
  /// No handler: only the screens are computed.
  case restored
  case receive(Event, route: any RouteValue)
  case receiveFromChild(Event, Child)
  case receiveWithoutScreen(Event)
  case wentBack(route: any RouteValue)
  case childEnded(Child, Outcome, [String: Secret])
  case childEmitted(ChildOutput, [String: Secret])
  case parentSent(any Codable & Sendable, [String: Secret])
  case workEnded(WorkRecord)
  case workInterrupted(WorkRecord)
  case secretsLost(Set<String>)
  case timerFired(TimerRecord)
  /// The provider of the flow takes over the state that an older version of it has stored.
  case migrated(from: UInt32)
  /// A user started or stopped viewing the coordinator's screen. Only another process is notified.
  case looking(Bool)

  /// The screen that the event came from.
  var source: ScreenID? {
    switch self {
    case .receive(let event, _), .receiveFromChild(let event, _), .receiveWithoutScreen(let event): event.screen
    case .start, .restored, .wentBack, .childEnded, .childEmitted, .parentSent, .workEnded, .workInterrupted, .secretsLost,
      .timerFired, .migrated, .looking:
      nil
    }
  }

  /// Whether only screens are computed.
  var isRedrawing: Bool { if case .restored = self { true } else { false } }

  /// Whether the coordinator continues unchanged if another process cannot be asked.
  var isOptional: Bool {
    switch self {
    case .restored, .looking: true
    default: false
    }
  }

  /// The secrets that another coordinator passed.
  var secrets: [String: Secret] {
    switch self {
    case .childEnded(_, _, let secrets), .childEmitted(_, let secrets), .parentSent(_, let secrets): secrets
    case .start, .restored, .receive, .receiveFromChild, .receiveWithoutScreen, .wentBack, .workEnded, .workInterrupted,
      .secretsLost, .timerFired, .migrated, .looking:
      Dictionary()
    }
  }
}

/// The transition after a handler, or the error that the handler threw; in that case, all its changes are dropped.
typealias HandlerResult = Result<Transition, any Error>

/// Why a handler could not be called. Does not occur if each flow is registered once and decodes its own state.
enum HandlerMismatch: Error {
  case unknownCoordinator(CoordinatorPath)
  case stateOfAnotherType(CoordinatorPath)
  case routeOfAnotherType(CoordinatorPath)
  case noProduct(CoordinatorPath)
  case messageOfAnotherType(CoordinatorPath)
  case timerOfAnotherType(CoordinatorPath)
  case liveValueOfAnotherType(CoordinatorPath)
  case liveValueCannotBeShown(CoordinatorPath)
}
