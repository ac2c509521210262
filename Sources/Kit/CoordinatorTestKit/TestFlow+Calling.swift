import CoordinatorKit
import Platform

/// What clients other than the user of the top screen can do.
extension TestFlow {
  /// Sends an event that comes from no screen, as a script or a hardware button does.
  ///
  /// - Parameters:
  ///   - event: the name of the event.
  ///   - payload: the payload, which is not checked.
  ///   - path: the coordinator to delegate to; nil for the root.
  /// - Returns: the new revision.
  /// - Throws: `CallError` if the event is refused or a coordinator fails.
  @discardableResult
  public func sendWithoutScreen(
    _ event: String, _ payload: [String: JSONValue] = [:], to path: CoordinatorPath? = nil
  ) async throws(CallError) -> TreeAnswer {
    try await call(.delegate(path ?? tree.root, screen: nil, event: event, payload: payload, seen: nil))
  }

  /// Sends an event from an earlier screen, as a renderer does that has not been notified of a change yet.
  ///
  /// - Parameters:
  ///   - event: the id of an action, or `Event.select`.
  ///   - payload: the values of the fields; secrets as strings.
  ///   - screen: the screen as it was.
  ///   - revision: the revision that the user was looking at; nil to answer whatever the screen shows now.
  /// - Returns: the new revision.
  /// - Throws: `CallError` if the event is refused or a coordinator fails; `CallError.staleScreen` if the screen is not
  ///   on top any more, or what the answer rests on has changed.
  @discardableResult
  public func send(
    _ event: String, _ payload: [String: JSONValue] = [:], from screen: ShownScreen, seen revision: UInt64? = nil
  ) async throws(CallError) -> TreeAnswer {
    try await call(
      .delegate(screen.coordinator, screen: screen.id, event: event, payload: payload, seen: revision))
  }

  /// Starts a child, as a client does.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: the input of the flow, by key.
  ///   - parent: the coordinator that becomes its parent; nil for the root.
  ///   - router: how the child presents its screens.
  /// - Returns: the path of the child.
  /// - Throws: `CallError` if the call is refused or a coordinator fails.
  @discardableResult
  public func startChild(
    _ flow: String, input: [String: JSONValue] = [:], of parent: CoordinatorPath? = nil,
    router: RouterKind = .navigation
  ) async throws(CallError) -> CoordinatorPath {
    let answer = try await call(.startChild(parent ?? tree.root, flow: flow, input: input, router: router))
    guard case .child(let path) = answer else { throw .unknownCoordinator(parent ?? tree.root) }
    return path
  }

  /// Makes a call without waiting for its answer, for example to have several in the queue.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - key: the request key under which the answer is kept.
  /// - Returns: the answer to come. The calls of one test arrive in the order in which they are made.
  public func post(_ call: TreeCall, key: String? = nil) -> PendingAnswer {
    let answer = PendingAnswer()
    tree.post(call, key: key) { answer.resolve($0) }
    return answer
  }

  // MARK: Time

  /// Moves the clock. Each timer goes off, and each piece of work that sleeps wakes up, at its time.
  ///
  /// Before the clock moves on, all work sleeps (`WorkContext.sleep(for:)`), waits for a viewer, or is done, and so does the
  /// work that is started because of it. Its reports are shown at the end. Work that waits for something else is awaited once,
  /// for up to twenty seconds.
  ///
  /// - Parameter duration: how far to move the clock.
  /// - Throws: `CallError` if a coordinator fails.
  public func advance(by duration: Duration) async throws(CallError) {
    let end = clock.now + duration
    let watch = pace.watch(.seconds(10))
    defer { watch.cancel() }
    await pace.settle(tree)
    while true {
      let timer = await tree.state.nextDue
      guard let due = [timer, pace.nextDue].compactMap(\.self).min(), due <= end else { break }
      clock.set(max(due, clock.now))
      guard due == timer else {
        await pace.wakeNext(in: tree)
        continue
      }
      do throws(CallError) { _ = try await Self.answer { tree.fireTimer(reply: $0) } } catch {
        // The timer waits with its coordinator; see `TreeState.hold(of:)`.
        guard case .held = error else { throw error }
      }
      await pace.settle(tree)
    }
    clock.set(end)
    await tree.finishTurns()
  }

  /// Retries the events that held coordinators wait for; see `TreeState.hold(of:)`.
  ///
  /// - Throws: `CallError.unknownCoordinator(_:)` if the flow has ended.
  public func retryHeld() async throws(CallError) { _ = try await Self.answer { tree.retryHeld(reply: $0) } }

  // MARK: Looking

  /// Attaches a renderer, so that work that waits for a viewer continues; or detaches the last one.
  ///
  /// - Parameter isAttached: whether a renderer is attached.
  public func setRenderer(isAttached: Bool) { tree.set(hasRenderer: isAttached) }
}

/// The answer to a call that a test has made without waiting for it; see ``TestFlow/post(_:key:)``.
public final class PendingAnswer: Sendable {
  private struct State {
    var result: Result<TreeAnswer, CallError>?
    var waiting: [CheckedContinuation<Result<TreeAnswer, CallError>, Never>] = []
  }
  private let state = Lock(State())

  func resolve(_ result: Result<TreeAnswer, CallError>) {
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: result) }
  }

  /// The answer, after the transition was published.
  ///
  /// - Throws: `CallError` if the call is refused or a coordinator fails.
  public var value: TreeAnswer {
    get async throws(CallError) {
      try await withCheckedContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.waiting.append(continuation) }
          return state.result
        }
        if let result { continuation.resume(returning: result) }
      }.get()
    }
  }
}
