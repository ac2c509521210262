import CoordinatorKit

/// A flow that runs in a test: no daemon, no bus, and a ``RecordingRenderer`` to look at.
///
/// ```swift
/// let flow = try await TestFlow.start("schedule-visit", in: catalogue)
/// try await flow.send("sick")
/// #expect(try await flow.top.content.name == "select-pain-level")
/// ```
public struct TestFlow: Sendable {
  /// The flow tree itself.
  public let tree: FlowTree
  /// What it shows.
  public let renderer: RecordingRenderer

  /// Why a test flow cannot be asked what was asked.
  public enum Misuse: Error, Sendable, Hashable {
    /// It shows no screen.
    case nothingShown
    /// It has not ended.
    case stillRunning
  }

  /// Starts a flow of a catalogue, and waits for its first screens.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: what to start it with.
  ///   - catalogue: where the flow and those that it starts come from.
  ///   - limits: how much the tree may hold.
  ///   - root: the name of the root coordinator.
  ///   - store: who makes transitions durable; nil if nobody does.
  /// - Returns: the running flow.
  /// - Throws: `CallError` if the flow does not start.
  public static func start(
    _ flow: String, input: [String: JSONValue] = [:], in catalogue: FlowCatalogue, limits: Limits = Limits(),
    root: String = "flow_1", store: (any TransitionStore)? = nil
  ) async throws -> TestFlow {
    let renderer = RecordingRenderer()
    let environment = FlowTree.Environment(
      catalogue: catalogue, limits: limits, observer: renderer, store: store, now: { 0 })
    let tree = FlowTree(root: root, environment: environment)
    _ = try await answer { tree.start(flow: flow, input: input, reply: $0) }
    return TestFlow(tree: tree, renderer: renderer)
  }

  /// Starts a flow that starts no others, and waits for its first screens.
  ///
  /// - Parameters:
  ///   - input: what to start it with.
  ///   - limits: how much the tree may hold.
  ///   - make: makes its coordinator, with its data sources handed in.
  /// - Returns: the running flow.
  /// - Throws: `FlowCatalogueError` if its description is not one of a flow; `CallError` if it does not start.
  public static func start<C: Coordinator>(
    input: [String: JSONValue] = [:], limits: Limits = Limits(), _ make: @escaping @Sendable () -> C
  ) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add(make)
    return try await start(C.flow.name, input: input, in: catalogue, limits: limits)
  }

  /// What becomes of the flow when the daemon is killed and comes back: it is stored, forgotten, and taken up again from what was
  /// stored. Work that was running begins again, or is told to be interrupted if it took a secret.
  ///
  /// - Parameter catalogue: the flows of the daemon that comes back; nil for the same ones.
  /// - Returns: the flow as it is from then on. The one that was asked is of no more use.
  /// - Throws: `RestoringError` if the flow cannot be taken up again, `EncodingError` if it cannot be stored.
  public func restarted(in catalogue: FlowCatalogue? = nil) async throws -> TestFlow {
    // Not what was published last: what nobody sees is not published.
    let stored = try StoredTree(await tree.state, in: tree.environment.catalogue)
    let renderer = RecordingRenderer()
    tree.forget()
    var environment = tree.environment
    environment.observer = renderer
    environment.catalogue = catalogue ?? environment.catalogue
    let (restored, state) = try await FlowTree.restore(stored, environment: environment)
    await renderer.show(state)
    await restored.resume()
    return TestFlow(tree: restored, renderer: renderer)
  }

  // MARK: What it shows

  /// The tree as it was last published.
  ///
  /// - Throws: ``Misuse/nothingShown`` before anything was published.
  public var state: TreeState {
    get async throws {
      guard let state = await renderer.state else { throw Misuse.nothingShown }
      return state
    }
  }

  /// All screens, bottom first.
  ///
  /// - Throws: ``Misuse/nothingShown`` before anything was published.
  public var screens: [ShownScreen] { get async throws { try await state.window.screens } }

  /// The names of all screens, bottom first.
  ///
  /// - Throws: ``Misuse/nothingShown`` before anything was published.
  public var names: [String] { get async throws { try await screens.map(\.content.name) } }

  /// The screen to show.
  ///
  /// - Throws: ``Misuse/nothingShown`` if there is none.
  public var top: ShownScreen {
    get async throws {
      guard let top = try await screens.last else { throw Misuse.nothingShown }
      return top
    }
  }

  /// The paths of the live coordinators, parents first; the root is `flow_1`.
  ///
  /// - Throws: ``Misuse/nothingShown`` before anything was published.
  public var coordinators: [String] { get async throws { try await state.coordinatorsInOrder.map(\.path.text) } }

  /// How the flow ended.
  ///
  /// - Throws: ``Misuse/stillRunning`` if it has not.
  public var outcome: Outcome {
    get async throws {
      guard let outcome = try await state.outcomes[tree.root] else { throw Misuse.stillRunning }
      return outcome
    }
  }

  // MARK: What its user does

  /// Hands an event over from the top screen, as a renderer does, and waits until all that follows from it has happened, but for work.
  ///
  /// - Parameters:
  ///   - event: the id of an action.
  ///   - payload: what to fill in, by field; secrets as texts.
  ///   - key: the request key under which the answer is kept.
  /// - Returns: the revision after it.
  /// - Throws: `CallError` if it is refused or fails; ``Misuse/nothingShown``.
  @discardableResult
  public func send(_ event: String, _ payload: [String: JSONValue] = [:], key: String? = nil) async throws -> TreeAnswer {
    let top = try await top
    return try await call(
      .delegate(top.coordinator, screen: top.id, event: event, payload: payload, seen: nil), key: key)
  }

  /// Chooses a row of the top screen, a list.
  ///
  /// - Parameter id: the id of the row.
  /// - Returns: the revision after it.
  /// - Throws: as ``send(_:_:key:)``.
  @discardableResult
  public func select(_ id: String) async throws -> TreeAnswer { try await send(Event.select, ["id": .string(id)]) }

  /// Goes back from the top screen.
  ///
  /// - Returns: the revision after it.
  /// - Throws: as ``send(_:_:key:)``.
  @discardableResult
  public func back() async throws -> TreeAnswer { try await call(.back(top.id)) }

  /// Dismisses a coordinator, or the whole tree.
  ///
  /// - Parameter path: which coordinator; nil for the root.
  /// - Returns: the revision after it.
  /// - Throws: `CallError` if it is refused.
  @discardableResult
  public func dismiss(_ path: CoordinatorPath? = nil) async throws(CallError) -> TreeAnswer {
    try await call(.dismiss(path ?? tree.root, animated: true))
  }

  /// Makes any call, as a client of the daemon does.
  ///
  /// - Parameters:
  ///   - call: what is asked.
  ///   - key: the request key under which the answer is kept.
  /// - Returns: the answer, after the transition was published.
  /// - Throws: why there is none.
  @discardableResult
  public func call(_ call: TreeCall, key: String? = nil) async throws(CallError) -> TreeAnswer {
    try await Self.answer { tree.post(call, key: key, reply: $0) }
  }

  /// Asks a flow tree for something, and waits for the answer.
  static func answer(_ ask: (@escaping FlowTree.Reply) -> Void) async throws(CallError) -> TreeAnswer {
    try await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }.get()
  }
}
