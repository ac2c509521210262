import DBusValues
import Languages
import Platform

/// A coordinator of a flow that another process serves. Its handlers carry out the decisions of the provider.
///
/// Handlers are synchronous, so ``ProvidedRunning`` asks the provider first, and passes the answer to this actor.
actor ProvidedCoordinator: Coordinator {
  static let flow = FlowDescription("provided", title: "")

  struct Route: Codable, Hashable { var key: String }
  struct Timer: Codable, Hashable { var key: String }

  struct State: FlowState {
    /// The provider's own state.
    var text = ""
    var screens: [String: DescribedScreen] = [:]
    var canBeCancelled = true
    /// The number of the last question whose answer was accepted.
    var turn: UInt64 = 0
    /// The well-known name of the program that has made the decisions so far; "" for none.
    var server = ""
    /// The version of the program that made the last decision.
    var version: UInt32 = 1
    /// The ids of the work that was most recently ordered.
    var orderedWork: [String] = []
    /// Whether Back on the first screen may end the flow.
    var canBeLeft = true
    /// Marks the record as that of a provided flow, even while no program serves the flow.
    var isProvided = true
  }

  /// The origin of a decision.
  struct Source: Sendable, Hashable {
    let turn: UInt64
    let server: ServingProgram
    let canBeLeft: Bool
  }

  typealias Input = ProvidedValues
  typealias Output = ProvidedValues
  typealias Message = ProvidedValues
  typealias Work = ProvidedWork
  typealias Live = ProvidedLive

  let context = Context()
  private let provider: any FlowProvider
  private let answer: ProvidedAnswer

  init(provider: any FlowProvider, answer: ProvidedAnswer) { (self.provider, self.answer) = (provider, answer) }

  var canBeCancelled: Bool { state.canBeCancelled }

  func screen(for route: Route) throws -> Screen {
    guard let described = state.screens[route.key] else {
      throw ProviderTrouble.failed("the provider has presented the screen \(route.key), but not described it")
    }
    var screen = try live?.screen(route.key, described.content) ?? described.content
    screen.origin = provider.origin(state.server)
    // The provider must not see the answers of other flows.
    if screen.review.contains(where: { $0 == .forms || $0.key != nil }) { screen.review = reviewed(screen.review) }
    return screen
  }

  /// Returns the rows of a review with what only the daemon knows: the values of forms, and the numbers of screens.
  private func reviewed(_ rows: [ReviewRow]) -> [ReviewRow] {
    let forms = review()
    let shown = context.scope.map { scope in scope.transition.window.screens.filter { $0.coordinator == scope.path } } ?? []
    return rows.flatMap { row -> [ReviewRow] in
      guard row != .forms else { return forms }
      guard let key = row.key else { return [row] }
      var row = row
      row.key = nil
      guard let screen = shown.last(where: { ($0.route as? Route)?.key == key }) else { return row.value.isEmpty ? [] : [row] }
      if row.value.isEmpty {
        let values = forms.filter { $0.screen == screen.id }
        guard values.isEmpty, screen.content.kind == .form else { return values }
        row.value = ReviewRow.nothing
      }
      row.screen = screen.id
      if row.title.isEmpty { row.title = screen.content.title }
      return [row]
    }
  }

  func allowsBack(from route: Route) -> Bool { state.screens[route.key]?.back ?? true }

  func start() throws { try act() }
  func receive(_ event: Event, on route: Route) throws { try act(secrets: event.payload.secrets) }
  func receive(_ event: Event, from child: Child) throws { try act(secrets: event.payload.secrets) }
  func receive(_ event: Event) throws { try act(secrets: event.payload.secrets) }
  func wentBack(from route: Route) throws { try act() }
  func childEnded(_ child: Child, outcome: Outcome) throws { try act(secrets: passed) }
  func childEmitted(_ output: ChildOutput) throws { try act(secrets: passed) }
  func parentSent(_ message: Message) throws { try act(secrets: passed) }
  func workEnded(_ work: Work, with result: WorkResult<String>) throws { try act() }
  func workInterrupted(_ work: Work) throws { try act() }
  func secretsLost(_ names: Set<String>) throws { try act() }
  func timerFired(_ timer: Timer) throws { try act() }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> String {
    try await provider.perform(
      work, of: answer.instance(at: context.shared.coordinator), by: answer.server, in: context.shared)
  }

  private var passed: [String: Secret] { context.scope?.secrets ?? [:] }

  // MARK: Acting

  /// Carries out the decision of the provider.
  ///
  /// - Parameter secrets: the secrets that came with the event, by name.
  /// - Throws: the provider's answer if it is not a decision, or why its decision cannot be carried out.
  func act(secrets: [String: Secret] = [:]) throws {
    switch answer.take() {
    case .decided(let decision, let source):
      state.turn = source.turn
      state.server = source.server.name
      state.version = source.server.version
      state.canBeLeft = source.canBeLeft
      for operation in decision.operations {
        do { try act(operation, secrets) } catch let trouble as ProviderTrouble { throw trouble } catch let refusal as Refusal {
          throw RefusedOperation(refusal)
        } catch {
          throw fault("has decided what cannot be done: \(error)")
        }
      }
      state.text = decision.state
      if let canBeCancelled = decision.canBeCancelled { state.canBeCancelled = canBeCancelled }
      let shown = Set(router.routes.map(\.key))
      state.screens.merge(decision.screens) { $1 }
      state.screens = state.screens.filter { shown.contains($0.key) }
    case .thrown(let error): throw error
    case .nothing: break
    }
  }

  private func act(_ operation: FlowDecision.Operation, _ secrets: [String: Secret]) throws {
    switch operation {
    case .present(let key, let kind, let animated): router.present(Route(key: key), as: kind, animated: animated)
    case .replace(let key, let animated): router.replace(with: Route(key: key), animated: animated)
    case .dismiss(let key, let animated):
      let keys = router.routes.map(\.key)
      guard let index = keys.lastIndex(of: key) else { throw fault("dismisses the screen \(key), which is not shown") }
      context.change { $0.dismiss(of: $1, animated: animated, keeping: index) }
    case .dismissAbove(let key, let animated): try router.dismiss(to: Route(key: key), animated: animated)
    case .startChild(let flow, let input, let names, let kind):
      guard let path, provider.mayStart(flow, asChildOf: answer.instance(at: path).flow) else {
        throw fault("starts the flow \(flow), which Children= of its file does not name")
      }
      try startChild(flow: flow, input: input, secrets: try named(names, secrets), router: kind)
    case .cancelChild(let path): cancelChild(try child(path))
    case .startWork(let work, let names, let isTaking):
      // A late result must not be taken for that of other work.
      guard !state.orderedWork.contains(work.id) else { throw fault("orders work as \(work.id), as it has done before") }
      state.orderedWork = state.orderedWork.suffix(Self.maxOrderedWork - 1) + [work.id]
      try startWork(work, key: WorkKey(work.id), secrets: try named(names, secrets))
      if isTaking { for name in names.values { forgetSecret(name) } }
    case .cancelWork(let id?): cancelWork(WorkKey(id))
    case .cancelWork(nil): cancelWork()
    case .startTimer(let key, let time, let duration):
      guard due(Timer(key: key)) != nil || timerCount < Self.maxTimers else {
        throw fault("starts more than \(Self.maxTimers) timers")
      }
      if let duration {
        try startTimer(Timer(key: key), after: .microseconds(Int64(clamping: duration)))
      } else {
        try startTimer(Timer(key: key), at: time)
      }
    case .cancelTimer(let key): cancelTimer(Timer(key: key))
    case .attach(let message): attach(message)
    case .emit(let value, let names): emit(ProvidedValues(value), secrets: try named(names, secrets))
    case .send(let value, let path, let names):
      let child = try child(path)
      let passed = try named(names, secrets)
      context.change { $0.send(ProvidedValues(value), secrets: passed, to: child.path, from: $1) }
    case .keepSecrets(let names):
      for (name, secret) in try named(names, secrets) {
        guard secret.withBytes({ $0.count }) <= Self.maxSecret else { throw fault("keeps the secret \(name), which is too long") }
        keep(secret, as: name)
      }
    case .forgetSecrets(let names): for name in names { forgetSecret(name) }
    case .finish(let result, let names):
      let passed = try named(names, secrets)
      try context.change { try $0.finish($1, result: result, secrets: passed) }
    case .cancel: cancel()
    case .fail(let failure): end(as: .failed(failure))
    case .setLanguage(let name): setLanguage(try LanguageTag(name))
    case .endAsChild(let path):
      guard let outcome = context.scope?.transition.after.outcomes[CoordinatorPath(text: path)] else {
        throw fault("ends as the child \(path), of which no outcome is known")
      }
      end(as: outcome)
    }
  }

  private static let maxTimers = 64
  private static let maxOrderedWork = 64
  /// The maximum size of a secret, in bytes.
  private static let maxSecret = 4096

  private var timerCount: Int { context.scope.flatMap { $0.transition.after.coordinators[$0.path]?.timers.count } ?? 0 }

  private func child(_ path: String) throws -> Child {
    guard let child = children.first(where: { $0.path.text == path }) else {
      throw fault("names the child \(path), which it does not have")
    }
    return child
  }

  /// Returns secrets that came with the event, or that are kept, by the names that the provider gives to them.
  private func named(_ names: FlowDecision.SecretNames, _ secrets: [String: Secret]) throws -> [String: Secret] {
    try names.mapValues { name in
      let kept = name.bytes.dropping(prefix: FlowDecision.keptPrefix).map { String($0) }
      guard let secret = kept.flatMap(keptSecret) ?? secrets[name] ?? keptSecret(name) else {
        throw fault("uses the secret \(name), but there is none")
      }
      return secret
    }
  }

  private func fault(_ what: String) -> ProviderTrouble { .failed("the provider \(what)") }
}

extension CoordinatorRecord {
  /// The well-known name of the program that has made the coordinator's decisions so far, "" for a program without a name; nil
  /// if its flow is built in.
  package var server: String? { (state as? ProvidedCoordinator.State)?.server }

  /// The state that the coordinator's provider has stored; nil if the flow is built in.
  package var providedState: String? { (state as? ProvidedCoordinator.State)?.text }

  /// The approximate number of bytes that the coordinator's provider has stored; nil if the flow is built in.
  package var storedByProvider: (server: String, size: StoredSize)? {
    (state as? ProvidedCoordinator.State).map { ($0.server, StoredSize(state: $0.text, screens: $0.screens)) }
  }
}

/// The values that a provided flow exchanges with others: its input, outputs and messages.
struct ProvidedValues: Sendable, Hashable, Codable {
  /// A JSON value: an object, unless it is an output or a message.
  var json: JSONValue

  init(_ json: JSONValue) { self.json = json }
  init(from decoder: any Decoder) throws { json = try decoder.singleValueContainer().decode(JSONValue.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}

extension JSONValue {
  /// Encodes a value of any type; nil if it cannot be encoded.
  init?(of value: any Encodable) {
    func encode(_ value: some Encodable) -> JSONValue? { try? JSONValue(encoding: value) }
    guard let json = encode(value) else { return nil }
    self = json
  }
}

/// The error of a tree that refuses a provider's decision. A caller that waits receives the refusal, as it does if a handler of
/// a built-in flow does not catch it. Otherwise, it is the provider's trouble, which does not end the flow.
struct RefusedOperation: Error {
  let refusal: Refusal

  init(_ refusal: Refusal) { self.refusal = refusal }

  /// The trouble to report if no caller waits.
  var trouble: ProviderTrouble { .failed("the provider has decided what cannot be done: \(refusal)") }
}

/// Live values of a provided flow's running work: parts of screens that are shown but not stored.
struct ProvidedLive: Sendable {
  /// Keys of the descriptions of screens, by the key of the screen.
  let parts: [String: [String: Value]]

  /// Returns a screen with its live parts.
  ///
  /// - Throws: ``MalformedScreen`` or `JSONConversionError` if the parts are not valid for a screen.
  func screen(_ key: String, _ stored: Screen) throws -> Screen {
    guard let parts = parts[key] else { return stored }
    return try Screen(describedAs: stored.description().merging(parts) { $1 })
  }
}

extension SharedWorkContext {
  /// Shows parts of screens, in place of the parts that the work showed before.
  ///
  /// - Parameter parts: keys of the descriptions of screens, by the key of the screen.
  package func show(live parts: [String: [String: Value]]) { show(ProvidedLive(parts: parts)) }
}

/// The answer of a provider, on its way to the handler that carries it out. May be used from any thread; a coordinator's
/// handlers are called one at a time.
final class ProvidedAnswer: Sendable {
  /// The answer in the form in which the handler receives it.
  enum Content: Sendable {
    case decided(FlowDecision, ProvidedCoordinator.Source)
    case thrown(any Error)
    /// Nothing changes.
    case nothing
  }

  private struct State: Sendable {
    var content: Content?
    var instance: FlowInstance?
    var server = ""
  }

  private let state = Lock(State())

  /// Leaves an answer for the next handler.
  func leave(_ content: Content) { state.withLock { $0.content = content } }

  /// Returns the answer, once.
  func take() -> Content {
    state.withLock { $0.content.take() } ?? .thrown(ProviderTrouble.failed("the provider was not asked"))
  }

  /// Whether an answer waits for its handler.
  var isWaiting: Bool { state.withLock { $0.content != nil } }

  /// Records the coordinator's instance and its program, once they are known.
  func set(_ instance: FlowInstance, server: String) { state.withLock { ($0.instance, $0.server) = (instance, server) } }

  /// The well-known name of the program that decides for the coordinator.
  var server: String { state.withLock { $0.server } }

  /// The instance.
  func instance(at path: CoordinatorPath) -> FlowInstance {
    state.withLock { $0.instance } ?? FlowInstance(flow: "", path: path, startedAt: 0)
  }
}
