extension Coordinator {
  /// The type of ``context``, for `let context = Context()`.
  public typealias Context = CoordinatorContext<Self>

  /// True: clients can cancel the coordinator.
  public var canBeCancelled: Bool { true }

  /// Allows Back from every screen.
  public func allowsBack(from route: Route) -> Bool { true }

  /// Leaves every event to the parent.
  ///
  /// - Parameters:
  ///   - event: the user's action.
  ///   - route: the route of the screen.
  /// - Throws: ``Event/notTaken``.
  public func receive(_ event: Event, on route: Route) throws { throw event.notTaken }

  /// Leaves every event to the next parent.
  ///
  /// - Parameters:
  ///   - event: the user's action.
  ///   - child: the child through which the event came.
  /// - Throws: ``Event/notTaken``.
  public func receive(_ event: Event, from child: Child) throws { throw event.notTaken }

  /// Leaves every event to the parent.
  ///
  /// - Parameter event: the event.
  /// - Throws: ``Event/notTaken``.
  public func receive(_ event: Event) throws { throw event.notTaken }

  /// Does nothing.
  public func wentBack(from route: Route) throws {}

  /// Does nothing.
  public func childEnded(_ child: Child, outcome: Outcome) throws {}

  /// Does nothing.
  public func childEmitted(_ output: ChildOutput) throws {}

  /// Does nothing. From then on, ``Coordinator/keptSecret(_:)`` returns nil.
  public func secretsLost(_ names: Set<String>) throws {}

  /// Fails the coordinator. Implement this requirement if the flow starts work with secrets and can continue without
  /// them.
  ///
  /// - Parameter work: the description of the work.
  /// - Throws: a ``Failure`` with the code `interrupted`.
  public func workInterrupted(_ work: Work) throws {
    throw Failure(code: "interrupted", message: "the work was interrupted by a restart")
  }
}

extension Coordinator {
  /// Throws, because the coordinator defines no migration.
  public static func migrate(_ stored: inout StoredFlow, from version: Int) throws {
    throw RestoringError.noMigration(flow.name, stored: version, known: flow.version)
  }
}

extension Coordinator where Route == Never {
  /// Never called, because there are no routes.
  public func screen(for route: Never) -> Screen {}
}

extension Coordinator where Work == Never {
  /// Never called, because there is no work.
  public nonisolated func perform(_ work: Never, in context: WorkContext) async throws -> Product {}

  /// Never called, because there is no work.
  public func workEnded(_ work: Never, with result: WorkResult<Product>) throws {}
}

extension Coordinator where Message == Never {
  /// Never called, because there are no messages.
  public func parentSent(_ message: Never) throws {}
}

/// An event: a user's action on a screen, or the request of a script or a hardware button.
public struct Event: Sendable {
  /// The event that chooses a row of a list; its payload is `{id}`.
  public static let select = "select"

  /// The name of the event: the id of an action, or ``select``.
  public let name: String
  /// The payload. If the event comes from a screen, it has been checked against the screen's schema.
  public let payload: Payload
  /// The screen that the event came from; nil if it did not come from a screen.
  public let screen: ScreenID?

  /// The id of the chosen row.
  ///
  /// ```swift
  /// router.present(.quote(id: try event.selection))
  /// ```
  ///
  /// - Throws: ``notTaken`` unless the event is ``select``.
  public var selection: String {
    get throws(EventNotTaken) {
      guard name == Self.select, let id = payload.string("id") else { throw notTaken }
      return id
    }
  }

  /// The ids of the chosen rows of a list from which several can be chosen; see ``Screen/choosing(_:initial:)``.
  ///
  /// - Throws: ``notTaken`` unless the event is ``select``.
  public var selections: [String] {
    get throws(EventNotTaken) {
      if let ids = payload.array("ids"), name == Self.select { return ids.compactMap(\.string) }
      return [try selection]
    }
  }

  /// Returns the menu choice that the event's name stands for.
  ///
  /// ```swift
  /// state.visit = try event.choice()
  /// ```
  ///
  /// - Parameter type: the type whose raw values are the names of the events.
  /// - Returns: the case whose raw value is the event's name.
  /// - Throws: ``notTaken`` if no case has that raw value.
  public func choice<Choice: MenuChoice>(as type: Choice.Type = Choice.self) throws(EventNotTaken) -> Choice {
    guard let choice = Choice(rawValue: name) else { throw notTaken }
    return choice
  }

  /// Returns the action that the event's name stands for, as a case of an enum, so that the compiler finds a misspelt
  /// event.
  ///
  /// ```swift
  /// enum Do: String { case submit, cancel }
  ///
  /// switch try event.action(as: Do.self) {
  /// case .submit: try startWork(.logIn)
  /// case .cancel: cancel()
  /// }
  /// ```
  ///
  /// - Parameter type: the enum whose raw values are the ids of the actions.
  /// - Returns: the case whose raw value is the event's name.
  /// - Throws: ``notTaken`` if no case has that raw value.
  public func action<Name: RawRepresentable<String>>(as type: Name.Type = Name.self) throws(EventNotTaken) -> Name {
    guard let action = Name(rawValue: name) else { throw notTaken }
    return action
  }

  /// The error that a handler throws to leave this event to the parent, up to the root (rule 9).
  ///
  /// Everything that the handler changed before it threw is dropped.
  public var notTaken: EventNotTaken { EventNotTaken(event: name) }
}

/// The error of a handler that leaves an event to its parent; see ``Event/notTaken``.
public struct EventNotTaken: Error, Sendable, Hashable {
  /// The name of the event.
  public let event: String
}

/// A value that a live child has emitted to its parent; see ``Coordinator/emit(_:secrets:)``.
public struct ChildOutput: Sendable {
  /// The child that emitted the value.
  public let child: Child
  let value: any Codable & Sendable

  /// Returns the value that a child of the given type has emitted.
  ///
  /// ```swift
  /// if let output = output.value(from: NetworkSetup.self) { … }
  /// ```
  ///
  /// - Parameter type: the coordinator type whose flow the child may run.
  /// - Returns: the value, or nil if the child runs another flow.
  public func value<C: Coordinator>(from type: C.Type) -> C.Output? {
    guard child.isInstance(of: type) else { return nil }
    // The flow may be served by another process, and then emits JSON.
    return value as? C.Output ?? (value as? ProvidedValues).flatMap { try? $0.json.decoded() }
  }

  /// The value as JSON; nil if it cannot be encoded. Use it for children whose type is unknown here.
  public var json: JSONValue? { JSONValue(of: value) }
}

/// The connection between a coordinator and the runtime: what a handler reads and changes while it runs.
///
/// Confined to its coordinator: it is not `Sendable`, and the coordinator is an actor. Between handlers, it has no transition
/// to change, so a change outside a handler has no effect, except that a debug build stops with an assertion failure.
public final class CoordinatorContext<C: Coordinator> {
  /// The data of one handler call. A class, so that the context of an idle coordinator does not reserve space for it.
  final class Scope {
    var transition: Transition
    let path: CoordinatorPath
    /// The screen whose event is being handled.
    let source: ScreenID?
    /// The secrets that another coordinator passed with the event, by name.
    let secrets: [String: Secret]

    init(transition: Transition, path: CoordinatorPath, source: ScreenID?, secrets: [String: Secret]) {
      self.transition = transition
      self.path = path
      self.source = source
      self.secrets = secrets
    }
  }

  var scope: Scope?
  var state = C.State()
  var input: C.Input?
  /// The last value that work reported, with the id of the work.
  var reported: (work: WorkID, value: C.Live)?

  /// Creates a context, which the runtime fills in when it starts the coordinator.
  public init() {}

  /// Runs `change` on the transition of the running handler; returns nil if no handler is running.
  func change<Result>(_ change: (inout Transition, CoordinatorPath) throws -> Result) rethrows -> Result? {
    guard let scope else {
      assertionFailure("\(C.self): the router, children and work can be used only in a handler")
      return nil
    }
    return try change(&scope.transition, scope.path)
  }
}
