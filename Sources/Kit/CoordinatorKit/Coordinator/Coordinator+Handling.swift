extension Coordinator {
  /// What the coordinator knows. Rolled back with the transition, stored with it, and the only thing a screen is computed from.
  public var state: State {
    get { context.state }
    set { context.state = newValue }
  }

  /// What it was started with, already checked against the description of the flow. It never changes.
  ///
  /// There from ``start()`` on, so not in the initializer: asking for it there ends the process.
  public var input: Input {
    guard let input = context.input else {
      preconditionFailure("\(Self.self): the input is there only once the flow has been started")
    }
    return input
  }

  /// Where it stands in its flow tree; nil outside of handlers.
  public var path: CoordinatorPath? { context.scope?.path }

  /// Puts its screens up and takes them down.
  public var router: CoordinatorRouter<Self> { CoordinatorRouter(context: context) }

  /// Its children, in the order in which they were started.
  public var children: [Child] { context.change { $0.children(of: $1) } ?? [] }

  /// Ends the coordinator as finished, with a result that is nothing.
  public func finish() { context.change { $0.end($1, .finished([:])) } }

  /// Ends the coordinator as finished.
  ///
  /// - Parameter result: what its parent, and whoever asks for the outcome, gets; encoded as an object.
  /// - Throws: ``InvalidResult`` if the result is not encoded as an object, `EncodingError` if it holds what JSON cannot.
  public func finish(_ result: some Encodable) throws {
    let json = try JSONValue(encoding: result)
    guard case .object(let object) = json else {
      throw InvalidResult(type: "\(type(of: result))", encoding: json.kindForPeople)
    }
    try context.change { try $0.finish($1, result: object) }
  }

  /// Ends the coordinator as cancelled.
  public func cancel() { context.change { $0.end($1, .cancelled) } }

  /// Ends the coordinator as another ended: a parent that is there for one child alone hands on what came of it.
  ///
  /// - Parameter outcome: what ``childEnded(_:outcome:)`` was told.
  public func end(as outcome: Outcome) { context.change { $0.end($1, outcome) } }

  /// Starts a child, which begins after this handler has returned, and in the same transition.
  ///
  /// - Parameters:
  ///   - type: the coordinator of the flow to start.
  ///   - input: what to start it with.
  ///   - router: how it puts up its screens: `.navigation` pushes them onto this coordinator's, `.modal` opens a layer, `.window`
  ///     replaces the root.
  /// - Returns: the child; nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree is too deep, ``Refusal/unknownFlow(_:)`` if the daemon does not have
  ///   that flow, `EncodingError`.
  @discardableResult
  public func startChild<C: Coordinator>(_ type: C.Type, input: C.Input, router: RouterKind = .navigation) throws -> Child? {
    guard case .object(let object) = try JSONValue(encoding: input) else {
      throw EncodingError.invalidValue(input, .init(codingPath: [], debugDescription: "an input is an object"))
    }
    return try startChild(flow: type.flow.name, input: object, router: router)
  }

  /// Starts a child that takes no input; see ``startChild(_:input:router:)``.
  ///
  /// - Parameters:
  ///   - type: the coordinator of the flow to start.
  ///   - router: how it puts up its screens.
  /// - Returns: the child; nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)``, ``Refusal/unknownFlow(_:)``.
  @discardableResult
  public func startChild<C: Coordinator>(_ type: C.Type, router: RouterKind = .navigation) throws -> Child?
  where C.Input == NoInput {
    try startChild(flow: type.flow.name, input: [:], router: router)
  }

  /// Starts a child by the name of its flow; see ``startChild(_:input:router:)``.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow to start.
  ///   - input: what to start it with, by key.
  ///   - router: how it puts up its screens.
  /// - Returns: the child; nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)``, ``Refusal/unknownFlow(_:)``, ``Refusal/invalidInput(_:)``.
  @discardableResult
  public func startChild(flow: String, input: [String: JSONValue], router: RouterKind = .navigation) throws -> Child? {
    try context.change { try $0.startChild(of: $1, flow: flow, input: input, router: router) } ?? nil
  }

  /// Dismisses a child: it ends as cancelled, its own children first. This coordinator is told as of any child that ends.
  ///
  /// - Parameter child: one of ``children``; another one is left alone.
  public func dismissChild(_ child: Child) {
    context.change { transition, path in
      if child.path.parent == path { transition.end(child.path, .cancelled) }
    }
  }

  /// Attaches a message to the screen that the event came from, also if it is a child's; it stays until the next event on it
  /// is accepted. Does nothing in a handler of anything else than an event from a screen.
  ///
  /// - Parameter message: what to tell the user.
  public func attach(_ message: ScreenMessage) {
    guard let source = context.scope?.source else { return }
    context.change { transition, _ in transition.attach(message, to: source) }
  }

  /// Starts a piece of work, once the transition is stored. What it reports of its progress is shown on the screen that is now the
  /// coordinator's topmost one.
  ///
  /// - Parameters:
  ///   - work: what is to be done; stored, so never with a secret in it.
  ///   - secrets: what the work needs and nobody keeps; wiped when it is done.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree has too much work already.
  public func startWork(_ work: Work, secrets: [String: Secret] = [:]) throws {
    try context.change { try $0.startWork(work, of: $1, secrets: secrets) }
  }

  /// The work that this coordinator has started and not yet heard of, in the order in which it was started. A screen that is
  /// computed while there is any shows that with ``Screen/busy(_:)``.
  public var runningWork: [Work] { context.scope?.transition.runningWork(of: path) ?? [] }

  /// Cancels all work of this coordinator; nothing more is heard of it.
  public func cancelWork() { context.change { $0.cancelWork(of: $1) } }
}
