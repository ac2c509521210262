import CoordinatorKit
import Platform

/// A flow that runs in a test, without a daemon or a bus, and with a ``RecordingRenderer`` to inspect.
///
/// ```swift
/// let flow = try await TestFlow.start("schedule-visit", in: catalogue)
/// try await flow.send("sick")
/// #expect(try await flow.top.content.name == "select-pain-level")
/// ```
public struct TestFlow: Sendable {
  /// The flow tree.
  public let tree: FlowTree
  /// The renderer that shows the flow.
  public let renderer: RecordingRenderer
  /// The wall clock of the flow.
  public let clock: TestClock
  /// Holds back the results of work, if the flow was started so.
  public let work: WorkHold
  let pace: WorkPace

  /// Why a test flow cannot return what was requested.
  public enum Misuse: Error, Sendable, Hashable {
    /// The flow shows no screen.
    case nothingShown
    /// The flow has not ended.
    case stillRunning
    /// What a test waited for did not come in time.
    ///
    /// - `showing`: the names of the screens instead, bottom first.
    /// - `awaiting`: what was awaited, with its place in the test.
    /// - `because`: why it may not come, and what to do.
    case notInTime(showing: [String], awaiting: String = "a state", because: [String] = [])
  }

  init(
    tree: FlowTree, renderer: RecordingRenderer, clock: TestClock = TestClock(),
    work: WorkHold = WorkHold(isHolding: false), pace: WorkPace = WorkPace()
  ) {
    self.tree = tree
    self.renderer = renderer
    self.clock = clock
    self.work = work
    self.pace = pace
  }

  /// Starts a flow of a catalogue, and waits for its first screens.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: the input of the flow, by key.
  ///   - catalogue: the catalogue that contains the flow and the flows that it starts.
  ///   - limits: the limits of the flow tree.
  ///   - language: the language in which screens are shown; nil for English.
  ///   - root: the name of the root coordinator.
  ///   - store: the store that persists transitions; nil for none.
  ///   - clock: the wall clock.
  ///   - holdingWork: whether results of work are held back until the test releases them with ``work``.
  /// - Returns: the running flow.
  /// - Throws: `CallError` if the flow does not start.
  public static func start(
    _ flow: String, input: [String: JSONValue] = [:], in catalogue: FlowCatalogue, limits: Limits = Limits(),
    language: LanguageTag? = nil, root: String = "flow_1", store: (any TransitionStore)? = nil, clock: TestClock = TestClock(),
    holdingWork: Bool = false
  ) async throws -> TestFlow {
    let renderer = RecordingRenderer()
    let work = WorkHold(isHolding: holdingWork)
    var environment = FlowTree.Environment(
      catalogue: catalogue, limits: limits, observer: renderer, store: store, now: { clock.now.microseconds })
    let pace = environment.pace(work, by: clock)
    let tree = FlowTree(root: root, environment: environment)
    _ = try await answer { tree.start(flow: flow, input: input, language: language, reply: $0) }
    return TestFlow(tree: tree, renderer: renderer, clock: clock, work: work, pace: pace)
  }

  /// Starts a flow that does not start other flows, and waits for its first screens.
  ///
  /// ```swift
  /// let flow = try await TestFlow.start { Coffee() }
  /// ```
  ///
  /// - Parameters:
  ///   - input: the input of the flow, by key.
  ///   - limits: the limits of the flow tree.
  ///   - make: creates the coordinator of the flow, with its data sources.
  /// - Returns: the running flow.
  /// - Throws: `FlowCatalogueError` if the description of the flow is invalid; `CallError` if the flow does not start.
  public static func start<C: Coordinator>(
    input: [String: JSONValue] = [:], limits: Limits = Limits(), _ make: @escaping @Sendable () -> C
  ) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add(make)
    return try await start(C.flow.name, input: input, in: catalogue, limits: limits)
  }

  /// Simulates a restart of the daemon: stores the flow, discards it, and restores it.
  ///
  /// Work that was running starts again, or is reported as interrupted if it was started with secrets.
  ///
  /// - Parameter catalogue: the flows of the restarted daemon; nil for the same ones.
  /// - Returns: the restored flow. Do not use the original one any more.
  /// - Throws: `RestoringError` if the flow cannot be restored, `EncodingError` if it cannot be stored.
  public func restarted(in catalogue: FlowCatalogue? = nil) async throws -> TestFlow {
    // The tree's own state, because changes that are not visible are not published.
    let stored = try StoredTree(await tree.state, in: tree.environment.catalogue)
    let renderer = RecordingRenderer()
    tree.forget()
    var environment = tree.environment
    environment.observer = renderer
    environment.catalogue = catalogue ?? environment.catalogue
    let pace = environment.pace(work, by: clock)
    let (restored, state) = try await FlowTree.restore(stored, environment: environment)
    await renderer.show(state)
    await restored.resume()
    return TestFlow(tree: restored, renderer: renderer, clock: clock, work: work, pace: pace)
  }

  // MARK: What it shows

  /// The tree as last published.
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

  /// The top screen.
  ///
  /// - Throws: ``Misuse/nothingShown`` if there is none.
  public var top: ShownScreen {
    get async throws {
      guard let top = try await screens.last else { throw Misuse.nothingShown }
      return top
    }
  }

  /// The paths of the live coordinators, parents first. The root is `flow_1` unless the test named it.
  ///
  /// - Throws: ``Misuse/nothingShown`` before anything was published.
  public var coordinators: [String] { get async throws { try await state.coordinatorsInOrder.map(\.path.text) } }

  /// How the flow ended.
  ///
  /// - Throws: ``Misuse/stillRunning`` if it has not ended.
  public var outcome: Outcome {
    get async throws {
      guard let outcome = try await state.outcomes[tree.root] else { throw Misuse.stillRunning }
      return outcome
    }
  }

  // MARK: What its user does

  /// Sends an event from the top screen, as a renderer does, and waits until all its consequences except work have
  /// taken place.
  ///
  /// - Parameters:
  ///   - event: the id of an action.
  ///   - payload: the values of the fields; secrets as strings.
  ///   - key: the request key under which the answer is kept.
  /// - Returns: the new revision.
  /// - Throws: `CallError` if the event is refused or a coordinator fails; ``Misuse/nothingShown``.
  @discardableResult
  public func send(_ event: String, _ payload: [String: JSONValue] = [:], key: String? = nil) async throws -> TreeAnswer {
    let top = try await top
    return try await call(
      .delegate(top.coordinator, screen: top.id, event: event, payload: payload, seen: nil), key: key)
  }

  /// Selects a row of the top screen, which must be a list.
  ///
  /// - Parameter id: the id of the row.
  /// - Returns: the new revision.
  /// - Throws: the same errors as ``send(_:_:key:)``.
  @discardableResult
  public func select(_ id: String) async throws -> TreeAnswer { try await send(Event.select, ["id": .string(id)]) }

  /// Goes back from the top screen.
  ///
  /// - Returns: the new revision.
  /// - Throws: the same errors as ``send(_:_:key:)``.
  @discardableResult
  public func back() async throws -> TreeAnswer { try await call(.back(top.id)) }

  /// Cancels a coordinator, or the whole tree, as a client does with `Dismiss`.
  ///
  /// - Parameter path: the path of the coordinator; nil for the root.
  /// - Returns: the new revision.
  /// - Throws: `CallError` if the call is refused.
  @discardableResult
  public func cancel(_ path: CoordinatorPath? = nil) async throws(CallError) -> TreeAnswer {
    try await call(.dismiss(path ?? tree.root, animated: true))
  }

  /// Makes any call, as a client of the daemon does.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - key: the request key under which the answer is kept.
  /// - Returns: the answer, after the transition was published.
  /// - Throws: `CallError` if the call is refused or a coordinator fails.
  @discardableResult
  public func call(_ call: TreeCall, key: String? = nil) async throws(CallError) -> TreeAnswer {
    try await Self.answer { tree.post(call, key: key, reply: $0) }
  }

  /// Makes a request to a flow tree, and waits for the answer.
  static func answer(_ ask: (@escaping FlowTree.Reply) -> Void) async throws(CallError) -> TreeAnswer {
    try await withCheckedContinuation { continuation in ask { continuation.resume(returning: $0) } }.get()
  }
}

extension FlowTree.Environment {
  /// Lets work sleep by the clock of a test, and shows each live value at once.
  mutating func pace(_ hold: WorkHold, by clock: TestClock) -> WorkPace {
    let pace = WorkPace()
    sleep = { try await pace.sleep($0, until: clock.now + $1) }
    whenWorkWaits = { pace.noteChange() }
    whenWorkIsDone = { id, tell in
      // The result must be on its way before others take the work for done.
      hold.hold(id, tell)
      pace.isDone(id)
    }
    schedule = { _, body in body() }
    return pace
  }
}

/// The wall clock of a test flow. It stands still until the test moves it.
///
/// ```swift
/// let flow = try await TestFlow.start { Offer() }
/// try await flow.advance(by: .seconds(30))
/// ```
public final class TestClock: Sendable {
  private let time: Lock<Timestamp>

  /// Creates a clock.
  ///
  /// - Parameter start: the time that it shows first.
  public init(at start: Timestamp = Timestamp(microseconds: 0)) { time = Lock(start) }

  /// The time that the clock shows.
  public var now: Timestamp { time.withLock(\.self) }

  /// Sets the clock, also back. Timers do not go off; see ``TestFlow/advance(by:)``.
  ///
  /// - Parameter now: the time to show.
  public func set(_ now: Timestamp) { time.withLock { $0 = now } }
}

/// Holds back the results of a test flow's work until the test releases them.
///
/// ```swift
/// let flow = try await TestFlow.start("log-in", in: catalogue, holdingWork: true)
/// try await flow.send("submit", ["password": "secret"])
/// #expect(try await flow.top.content.progress != nil)
/// try await flow.work.release()
/// ```
public final class WorkHold: Sendable {
  private struct Waiter {
    let ticket: UInt64
    /// The work whose result is waited for; nil for any.
    let work: WorkID?
    let continuation: CheckedContinuation<(@Sendable () -> Void)?, Never>
  }

  private struct State {
    var isHolding: Bool
    var done: [(id: WorkID, tell: @Sendable () -> Void)] = []
    var waiting: [Waiter] = []
    var lastTicket: UInt64 = 0
  }
  private let state: Lock<State>

  init(isHolding: Bool) { state = Lock(State(isHolding: isHolding)) }

  /// Whether results are held back.
  var hasHeldResults: Bool { state.withLock { !$0.done.isEmpty } }

  /// Takes the closure that notifies a coordinator of the end of its work.
  func hold(_ id: WorkID, _ tell: @escaping @Sendable () -> Void) {
    let (isHolding, waiter) = state.withLock { state in
      let index = state.waiting.firstIndex { $0.work == nil || $0.work == id }
      let waiter = index.map { state.waiting.remove(at: $0) }
      if waiter == nil, state.isHolding { state.done.append((id, tell)) }
      return (state.isHolding, waiter)
    }
    if let waiter { waiter.continuation.resume(returning: tell) } else if !isHolding { tell() }
  }

  /// Delivers the result of the piece of work that was done first, after waiting for it if none is done yet. Its
  /// coordinator handles it a little later; wait for what that shows.
  public func release() async { _ = await letThrough(nil, within: nil) }

  /// Waits until a piece of work is done, and notifies its coordinator.
  ///
  /// - Parameters:
  ///   - id: the id of the work; nil for whichever is done first.
  ///   - patience: the time limit; nil for none.
  /// - Returns: whether the work was done in time.
  func letThrough(_ id: WorkID?, within patience: Duration?) async -> Bool {
    var deadline: Task<Void, any Error>?
    defer { deadline?.cancel() }
    let tell = await withCheckedContinuation { continuation in
      let (done, ticket) = state.withLock { state in
        if let index = state.done.firstIndex(where: { id == nil || $0.id == id }) {
          return (Optional(state.done.remove(at: index).tell), state.lastTicket)
        }
        state.lastTicket += 1
        state.waiting.append(Waiter(ticket: state.lastTicket, work: id, continuation: continuation))
        return (nil, state.lastTicket)
      }
      if let done { return continuation.resume(returning: done) }
      deadline = patience.map { patience in
        Task {
          try await Task.sleep(for: patience)
          giveUp(ticket)
        }
      }
    }
    tell?()
    return tell != nil
  }

  private func giveUp(_ ticket: UInt64) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
    }
    waiter?.continuation.resume(returning: nil)
  }

  /// Delivers all results, and those of work that ends later as soon as it does.
  public func open() {
    let done = state.withLock { state in
      state.isHolding = false
      defer { state.done = [] }
      return state.done
    }
    for work in done { work.tell() }
  }
}
