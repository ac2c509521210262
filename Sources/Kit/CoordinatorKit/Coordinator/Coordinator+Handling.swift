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

  /// The client whose call is being handled; nil if the event did not come from a client, for example because work ended.
  ///
  /// Use it to decide what a user may do, by ``Caller/user``; on the bus, this is the user id that the kernel reports.
  public var caller: Caller? { context.scope?.transition.caller }

  /// Presents and dismisses the coordinator's screens.
  public var router: CoordinatorRouter<Self> { CoordinatorRouter(context: context) }

  /// The coordinator's children, in the order in which they were started.
  public var children: [Child] { context.change { $0.children(of: $1) } ?? [] }

  /// Ends the coordinator as finished, with a result.
  ///
  /// - Parameters:
  ///   - result: the value that its parent, and callers that ask for the outcome, receive; encoded as an object.
  ///   - secrets: secrets for the parent, by name; see ``passedSecret(_:)``. They are never stored.
  /// - Throws: ``InvalidResult`` if the result does not encode as an object; `EncodingError` if it contains a value
  ///   that JSON cannot represent; ``Refusal/limitExceeded(_:)`` if it is too large or nested too deep.
  public func finish(_ result: Result, secrets: [String: Secret] = [:]) throws {
    let json = try JSONValue(encoding: result)
    guard case .object(let object) = json else {
      throw InvalidResult(type: "\(Result.self)", encoding: json.kindForPeople)
    }
    try context.change { try $0.finish($1, result: object, secrets: secrets) }
    context.record(secrets) { .finish(object, secrets: $2) }
  }

  /// Ends the coordinator as cancelled.
  public func cancel() {
    context.change { $0.end($1, .cancelled) }
    context.record { _, _ in .cancel }
  }

  /// Ends the coordinator with the outcome of another one.
  ///
  /// Use this method in a parent that exists only to run one child, to pass on the child's outcome.
  ///
  /// - Parameter outcome: the outcome passed to ``childEnded(_:outcome:)``.
  public func end(as outcome: Outcome) {
    context.change { $0.end($1, outcome) }
    context.record { _, _ in FlowDecision.Operation(endingAs: outcome) }
  }

  /// Starts a child. Its ``start()`` runs in the same transition, after this handler has returned.
  ///
  /// - Parameters:
  ///   - type: the coordinator type of the flow to start.
  ///   - input: the input of the flow.
  ///   - secrets: secrets for the child to keep, by name; see ``keptSecret(_:)``. They are never stored.
  ///   - router: how the child presents its screens: `.navigation` pushes them onto this coordinator's screens,
  ///     `.modal` opens a layer, `.window` replaces the root.
  /// - Returns: the child, or nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree is too deep or its inputs are too large,
  ///   ``Refusal/unknownFlow(_:)`` if the catalogue does not contain the flow, ``Refusal/invalidInput(_:)`` if the flow
  ///   does not accept the input, `EncodingError` if the input does not encode as an object.
  @discardableResult
  public func startChild<C: Coordinator>(
    _ type: C.Type, input: C.Input, secrets: [String: Secret] = [:], router: RouterKind = .navigation
  ) throws -> Child? {
    guard case .object(let object) = try JSONValue(encoding: input) else {
      throw EncodingError.invalidValue(input, .init(codingPath: [], debugDescription: "an input must be an object"))
    }
    return try startChild(flow: type.flow.name, input: object, secrets: secrets, router: router)
  }

  /// Starts a child that takes no input; see ``startChild(_:input:secrets:router:)``.
  ///
  /// - Parameters:
  ///   - type: the coordinator type of the flow to start.
  ///   - secrets: secrets for the child to keep, by name.
  ///   - router: how the child presents its screens.
  /// - Returns: the child, or nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)``, ``Refusal/unknownFlow(_:)``.
  @discardableResult
  public func startChild<C: Coordinator>(
    _ type: C.Type, secrets: [String: Secret] = [:], router: RouterKind = .navigation
  ) throws -> Child?
  where C.Input == NoInput {
    try startChild(flow: type.flow.name, input: [:], secrets: secrets, router: router)
  }

  /// Starts a child by the name of its flow; see ``startChild(_:input:secrets:router:)``.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow to start.
  ///   - input: the input of the flow, by key.
  ///   - secrets: secrets for the child to keep, by name.
  ///   - router: how the child presents its screens.
  /// - Returns: the child, or nil if this coordinator is about to end.
  /// - Throws: ``Refusal/limitExceeded(_:)``, ``Refusal/unknownFlow(_:)``, ``Refusal/invalidInput(_:)``.
  @discardableResult
  public func startChild(
    flow: String, input: [String: JSONValue], secrets: [String: Secret] = [:], router: RouterKind = .navigation
  ) throws -> Child? {
    let child =
      try context.change { try $0.startChild(of: $1, flow: flow, input: input, secrets: secrets, router: router) } ?? nil
    context.record(secrets) { .startChild(flow: flow, input: input, secrets: $2, router) }
    return child
  }

  /// Cancels a child, which ends as cancelled after its own children. ``childEnded(_:outcome:)`` is called as for any
  /// child that ends.
  ///
  /// - Parameter child: one of ``children``; any other value is ignored.
  public func cancelChild(_ child: Child) {
    context.record { $0.hasChild(child.path, of: $1) ? .cancelChild(child.path.text) : nil }
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
    context.record { _, _ in .attach(message) }
    guard let source = context.scope?.source else { return }
    context.change { transition, _ in transition.attach(message, to: source) }
  }
}

extension Coordinator where Result == NoResult {
  /// Ends the coordinator as finished, with an empty result.
  public func finish() {
    context.change { $0.end($1, .finished([:])) }
    context.record { _, _ in .finish([:], secrets: [:]) }
  }
}

/// Communication between live coordinators (rule 1).
extension Coordinator {
  /// Emits a value to the parent. The coordinator continues to run.
  ///
  /// ``childEmitted(_:)`` of the parent runs in the same transition, after this handler has returned, in the order in which
  /// values were emitted and messages were sent. The runtime drops a value for a parent that ends in the same transition, and a
  /// value that a root emits, which has no parent. Values do not bubble. If the parent throws a ``Refusal``, the changes of
  /// this handler are dropped as well. More than ``Limits/maxHandlers`` deliveries in one transition are refused. Call this
  /// method in a handler; elsewhere it has no effect.
  ///
  /// Use it for a step of a wizard: the parent continues, and Back leads into the child that has done its job.
  ///
  /// ```swift
  /// emit(.chosen(network: try event.selection))
  /// ```
  ///
  /// - Parameters:
  ///   - output: the value.
  ///   - secrets: secrets for the parent, by name; see ``passedSecret(_:)``. They are never stored.
  public func emit(_ output: Output, secrets: [String: Secret] = [:]) {
    context.change { $0.emit(output, secrets: secrets, from: $1) }
    context.record(secrets) { .emit(JSONValue(of: output) ?? .object([:]), secrets: $2) }
  }

  /// Sends a message to a child.
  ///
  /// ``parentSent(_:)`` of the child runs in the same transition, after this handler has returned, and after `start()`
  /// of a child that was just started. A message for a child that has ended, or ends in the same transition, is
  /// dropped.
  ///
  /// ```swift
  /// for child in children where child.isInstance(of: Page.self) { try send(.turn, to: child, of: Page.self) }
  /// ```
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - child: one of ``children``; for any other value, nothing is sent.
  ///   - type: the coordinator type whose flow the child runs.
  ///   - secrets: secrets for the child, by name; see ``passedSecret(_:)``. They are never stored.
  /// - Throws: ``WrongChild`` if the child runs another flow. Unless it is caught, it fails the coordinator.
  public func send<C: Coordinator>(
    _ message: C.Message, to child: Child, of type: C.Type, secrets: [String: Secret] = [:]
  ) throws {
    guard child.isInstance(of: type) else { throw WrongChild(expected: C.flow.name, actual: child.flow) }
    context.record(secrets) { transition, path, names in
      guard transition.hasChild(child.path, of: path) else { return nil }
      return .send(JSONValue(of: message) ?? .object([:]), child: child.path.text, secrets: names)
    }
    context.change { $0.send(message, secrets: secrets, to: child.path, from: $1) }
  }
}

/// A coordinator sent a message to a child of another flow.
public struct WrongChild: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the flow that takes the message.
  public let expected: String
  /// The name of the flow that the child runs.
  public let actual: String

  /// A message on one line, for users.
  public var description: String { "a message for the flow \(expected) was sent to a child that runs \(actual)" }
}
