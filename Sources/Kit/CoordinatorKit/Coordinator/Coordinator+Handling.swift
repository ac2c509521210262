extension Coordinator {
  /// The coordinator's state. It is rolled back and stored with the transition, and screens are computed from it.
  public var state: State {
    get { context.state }
    set { context.state = newValue }
  }

  /// The input that the flow was started with, already checked against the flow's description. It never changes.
  ///
  /// Available from ``start()`` on. Reading it in the initializer stops the process.
  public var input: Input {
    guard let input = context.input else {
      preconditionFailure("\(Self.self): the input is available only after the flow has started")
    }
    return input
  }

  /// The coordinator's place in its flow tree; nil outside handlers.
  public var path: CoordinatorPath? { context.scope?.path }

  /// Presents and dismisses the coordinator's screens.
  public var router: CoordinatorRouter<Self> { CoordinatorRouter(context: context) }

  /// The coordinator's children, in the order in which they were started.
  public var children: [Child] { context.change { $0.children(of: $1) } ?? [] }

  /// Ends the coordinator as finished, with a result.
  ///
  /// - Parameter result: what its parent, and whoever asks for the outcome, gets; encoded as an object.
  /// - Throws: ``InvalidResult`` if the result does not encode as an object; `EncodingError` if it contains a value
  ///   that JSON cannot represent; ``Refusal/limitExceeded(_:)`` if it is too large or nested too deep.
  public func finish(_ result: Result) throws {
    let json = try JSONValue(encoding: result)
    guard case .object(let object) = json else {
      throw InvalidResult(type: "\(Result.self)", encoding: json.kindForPeople)
    }
    try context.change { try $0.finish($1, result: object) }
  }

  /// Ends the coordinator as cancelled.
  public func cancel() { context.change { $0.end($1, .cancelled) } }

  /// Ends the coordinator with the outcome of another one.
  ///
  /// Use this in a parent that exists for the sake of one child, to pass on the child's outcome.
  ///
  /// - Parameter outcome: the outcome passed to ``childEnded(_:outcome:)``.
  public func end(as outcome: Outcome) { context.change { $0.end($1, outcome) } }

  /// Starts a child. Its ``start()`` runs in the same transition, after this handler has returned.
  ///
  /// - Parameters:
  ///   - type: the coordinator type of the flow to start.
  ///   - input: the input of the flow.
  ///   - router: how the child presents its screens: `.navigation` pushes them onto this coordinator's screens,
  ///     `.modal` opens a layer, `.window` replaces the root.
  /// - Returns: the child, or nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree is too deep or its inputs are too large,
  ///   ``Refusal/unknownFlow(_:)`` if the catalogue does not contain the flow, ``Refusal/invalidInput(_:)`` if the flow
  ///   does not accept the input, `EncodingError` if the input does not encode as an object.
  @discardableResult
  public func startChild<C: Coordinator>(_ type: C.Type, input: C.Input, router: RouterKind = .navigation) throws -> Child? {
    guard case .object(let object) = try JSONValue(encoding: input) else {
      throw EncodingError.invalidValue(input, .init(codingPath: [], debugDescription: "an input must be an object"))
    }
    return try startChild(flow: type.flow.name, input: object, router: router)
  }

  /// Starts a child that takes no input; see ``startChild(_:input:router:)``.
  ///
  /// - Parameters:
  ///   - type: the coordinator type of the flow to start.
  ///   - router: how the child presents its screens.
  /// - Returns: the child, or nil if this coordinator is about to end.
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
  ///   - input: the input of the flow, by key.
  ///   - router: how the child presents its screens.
  /// - Returns: the child, or nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)``, ``Refusal/unknownFlow(_:)``, ``Refusal/invalidInput(_:)``.
  @discardableResult
  public func startChild(flow: String, input: [String: JSONValue], router: RouterKind = .navigation) throws -> Child? {
    try context.change { try $0.startChild(of: $1, flow: flow, input: input, router: router) } ?? nil
  }

  /// Dismisses a child, which ends as cancelled after its own children. ``childEnded(_:outcome:)`` is called as for any
  /// child that ends.
  ///
  /// - Parameter child: one of ``children``; any other value is ignored.
  public func dismissChild(_ child: Child) {
    context.change { transition, path in
      if child.path.parent == path { transition.end(child.path, .cancelled) }
    }
  }

  /// Attaches a message to the screen that the current event came from, even if that screen belongs to a child.
  ///
  /// The message stays until the screen accepts its next event. Has no effect in a handler that does not handle an
  /// event from a screen.
  ///
  /// - Parameter message: the message to show.
  public func attach(_ message: ScreenMessage) {
    guard let source = context.scope?.source else { return }
    context.change { transition, _ in transition.attach(message, to: source) }
  }

  /// Starts a piece of work once the transition is stored.
  ///
  /// The work's progress is shown on the screen that is the coordinator's topmost one at the time of this call.
  ///
  /// - Parameters:
  ///   - work: a description of the work. It is stored, so it must not contain a secret.
  ///   - secrets: the secrets that the work needs, by name. They are never stored, and are wiped when the work is done.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree already has too much work.
  public func startWork(_ work: Work, secrets: [String: Secret] = [:]) throws {
    try context.change { try $0.startWork(work, of: $1, secrets: secrets) }
  }

  /// The work that this coordinator has started and whose result it has not yet received, in the order in which it was
  /// started. While there is any, mark the screen with ``Screen/busy(_:)``.
  public var runningWork: [Work] { context.scope?.transition.runningWork(of: path) ?? [] }

  /// Cancels all work of this coordinator. ``workEnded(_:with:)`` is not called for cancelled work.
  public func cancelWork() { context.change { $0.cancelWork(of: $1) } }
}

extension Coordinator where Result == NoResult {
  /// Ends the coordinator as finished, with an empty result.
  public func finish() { context.change { $0.end($1, .finished([:])) } }
}
