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
  ///   - event: what the user did.
  ///   - route: the route of the screen.
  /// - Throws: ``Event/notTaken``.
  public func receive(_ event: Event, on route: Route) throws { throw event.notTaken }

  /// Leaves every event to the next parent.
  ///
  /// - Parameters:
  ///   - event: what the user did.
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

  /// Does nothing: ``Coordinator/keptSecret(_:)`` returns nil from then on.
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
  /// Throws, since the coordinator defines no migration.
  public static func migrate(_ stored: inout StoredFlow, from version: Int) throws {
    throw RestoringError.noMigration(flow.name, stored: version, known: flow.version)
  }
}

extension Coordinator where Route == Never {
  /// Is never called, since there are no routes.
  public func screen(for route: Never) -> Screen {}
}

extension Coordinator where Work == Never {
  /// Is never called, since there is no work.
  public nonisolated func perform(_ work: Never, in context: WorkContext) async throws -> Product {}

  /// Is never called, since there is no work.
  public func workEnded(_ work: Never, with result: WorkResult<Product>) throws {}
}

extension Coordinator where Message == Never {
  /// Is never called, since there are no messages.
  public func parentSent(_ message: Never) throws {}
}
