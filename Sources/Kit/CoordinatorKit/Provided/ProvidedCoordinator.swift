/// A coordinator of a flow that another process serves. Its handlers do what the provider has decided.
///
/// Handlers are synchronous, so ``ProvidedRunning`` asks the provider first, and leaves the answer here.
actor ProvidedCoordinator: Coordinator {
  static let flow = FlowDescription("provided", title: "")

  struct Route: Codable, Hashable { var key: String }
  struct Timer: Codable, Hashable { var key: String }

  struct State: FlowState {
    /// The provider's own state.
    var text = ""
    var screens: [String: ProvidedScreen] = [:]
    var canBeCancelled = true
    /// The number of the last question whose answer was accepted.
    var turn: UInt64 = 0
    /// The well-known name of the program that has decided so far; "" for none.
    var server = ""
    /// Whether Back on the first screen may end the flow.
    var canBeLeft = true
    /// Marks the record as that of a provided flow, also while nobody serves it.
    var isProvided = true
  }

  /// Where a decision comes from.
  struct Source: Sendable, Hashable {
    let turn: UInt64
    let server: String
    let canBeLeft: Bool
  }

  typealias Input = ProvidedValues
  typealias Output = ProvidedValues
  typealias Message = ProvidedValues
  typealias Work = ProvidedWork

  let context = Context()
  private let provider: any FlowProvider
  private let answer: PendingAnswer

  init(provider: any FlowProvider, answer: PendingAnswer) { (self.provider, self.answer) = (provider, answer) }

  var canBeCancelled: Bool { state.canBeCancelled }

  func screen(for route: Route) throws -> Screen {
    guard let screen = state.screens[route.key] else {
      throw ProviderTrouble.failed("the provider has presented the screen \(route.key), but not described it")
    }
    var shown = try provider.screen(from: screen.description)
    shown.origin = provider.origin(state.server)
    return shown
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
    try await provider.perform(work, of: answer.instance(at: context.shared.coordinator), in: context.shared)
  }

  private var passed: [String: Secret] { context.scope?.secrets ?? [:] }

  // MARK: Acting

  private func act(secrets: [String: Secret] = [:]) throws {
    switch answer.take() {
    case .decided(let decision, let source):
      state.turn = source.turn
      state.server = source.server
      state.canBeLeft = source.canBeLeft
      for operation in decision.operations {
        do { try act(operation, secrets) } catch let trouble as ProviderTrouble { throw trouble } catch {
          throw fault("has decided what cannot be done: \(error)")
        }
      }
      state.text = decision.state
      if let canBeCancelled = decision.canBeCancelled { state.canBeCancelled = canBeCancelled }
      let shown = Set(router.routes.map(\.key))
      state.screens.merge(decision.screens) { $1 }
      state.screens = state.screens.filter { shown.contains($0.key) }
    case .thrown(let error): throw error
    }
  }

  private func act(_ operation: FlowDecision.Operation, _ secrets: [String: Secret]) throws {
    switch operation {
    case .present(let key, let modally): router.present(Route(key: key), as: modally ? .modal : nil)
    case .replace(let key): router.replace(with: Route(key: key))
    case .dismiss(let key):
      let keys = router.routes.map(\.key)
      guard let index = keys.lastIndex(of: key) else { throw fault("dismisses the screen \(key), which is not shown") }
      context.change { $0.dismiss(of: $1, animated: true, keeping: index) }
    case .startChild(let flow, let input, let kind):
      guard let path, provider.mayStart(flow, asChildOf: answer.instance(at: path).flow) else {
        throw fault("starts the flow \(flow), which Children= of its file does not name")
      }
      try startChild(flow: flow, input: input, router: kind)
    case .cancelChild(let path): cancelChild(try child(path))
    case .startWork(let work, let names):
      let taken = try secretsForWork(names, secrets)
      try startWork(work, key: WorkKey(work.id), secrets: taken)
      for name in names { forgetSecret(name) }
    case .cancelWork(let id?): cancelWork(WorkKey(id))
    case .cancelWork(nil): cancelWork()
    case .startTimer(let key, let time): try startTimer(Timer(key: key), at: time)
    case .cancelTimer(let key): cancelTimer(Timer(key: key))
    case .attach(let message): attach(message)
    case .emit(let values): emit(ProvidedValues(values))
    case .send(let values, let path):
      let child = try child(path)
      context.change { $0.send(ProvidedValues(values), secrets: [:], to: child.path, from: $1) }
    case .keepSecrets(let names):
      for name in names {
        guard let secret = secrets[name] else { throw fault("keeps the secret \(name), which did not come with the event") }
        keep(secret, as: name)
      }
    case .forgetSecrets(let names): for name in names { forgetSecret(name) }
    case .finish(let result): try context.change { try $0.finish($1, result: result) }
    case .cancel: cancel()
    case .endAsChild(let path):
      guard let outcome = context.scope?.transition.after.outcomes[CoordinatorPath(text: path)] else {
        throw fault("ends as the child \(path), of which no outcome is known")
      }
      end(as: outcome)
    }
  }

  private func child(_ path: String) throws -> Child {
    guard let child = children.first(where: { $0.path.text == path }) else {
      throw fault("names the child \(path), which it does not have")
    }
    return child
  }

  private func secretsForWork(_ names: [String], _ secrets: [String: Secret]) throws -> [String: Secret] {
    var taken: [String: Secret] = [:]
    for name in names {
      guard let secret = secrets[name] ?? keptSecret(name) else {
        throw fault("gives the secret \(name) to work, but there is none")
      }
      taken[name] = secret
    }
    return taken
  }

  private func fault(_ what: String) -> ProviderTrouble { .failed("the provider \(what)") }
}

/// The values that a provided flow exchanges with others: its input, outputs and messages.
struct ProvidedValues: Sendable, Hashable, Codable {
  var values: [String: JSONValue]

  init(_ values: [String: JSONValue]) { self.values = values }
  init(from decoder: any Decoder) throws { values = try decoder.singleValueContainer().decode([String: JSONValue].self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
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
