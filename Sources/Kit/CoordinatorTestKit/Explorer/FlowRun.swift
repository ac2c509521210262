import CoordinatorKit

/// One run of the explored flow, which advances by one move at a time.
///
/// Between moves only work runs, and its end is held back, so the state does not depend on timing.
package struct FlowRun: Sendable {
  let environment: FlowTree.Environment
  private let tree: FlowTree
  private let gate = WorkHold(isHolding: true)
  private let pace: WorkPace
  private let clock: TestClock
  private let patience: Duration

  /// The answer to a move.
  package enum Answer: Sendable {
    case taken
    case refused(CallError)
    /// The work did not end in time.
    case stuck
  }

  private struct Nobody: TreeObserver {
    func publish(_ publication: Publication) {}
    func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {}
  }

  /// Creates a run that has not been started, or one that continues from a state. The work of that state is not performed
  /// again: it ends only when a move ends it.
  package init(of explorer: FlowExplorer, continuing state: TreeState? = nil) {
    let clock = TestClock(at: explorer.startTime)
    self.clock = clock
    var environment = FlowTree.Environment(
      catalogue: explorer.catalogue, limits: explorer.limits, observer: Nobody(), now: { clock.now.microseconds })
    pace = environment.pace(gate, by: clock)
    environment.schedule = { [triesAgain = explorer.triesAgain] _, body in if triesAgain { body() } }
    tree =
      state.map { FlowTree(continuing: $0.withCopiedSecrets, environment: environment) }
      ?? FlowTree(root: explorer.nextRoot?() ?? "flow_1", environment: environment)
    if explorer.catalogue.showLiveValues { tree.set(hasRenderer: true) }
    self.environment = environment
    patience = explorer.patience
  }

  /// Starts the flow.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: the input of the flow, by key.
  /// - Returns: the reason why the flow did not start, or nil if it did.
  package func start(_ flow: String, input: [String: JSONValue]) async -> CallError? {
    do throws(CallError) {
      _ = try await TestFlow.answer { tree.start(flow: flow, input: input, reply: $0) }
      await rest()
      return nil
    } catch {
      return error
    }
  }

  /// The current state of the flow.
  package var state: TreeState { get async { await tree.state } }

  /// The time of the flow.
  package var now: Timestamp { clock.now }

  /// Sets the clock of the flow forward. Timers do not go off.
  ///
  /// - Parameter time: the new time; has no effect if it has passed already.
  package func advance(to time: Timestamp) { clock.set(max(time, clock.now)) }

  /// Performs the actions after a restart, and waits until all consequences have taken place.
  func resume() async {
    await tree.resume()
    await tree.finishTurns()
    await rest()
  }

  /// The number of running pieces of work.
  var runningWork: Int { tree.runningWork }

  /// Makes a move, and waits until all its consequences have taken place.
  package func make(_ move: FlowMove) async -> Answer { await make(move.kind) }

  /// Makes a move of a kind, and waits until all its consequences have taken place.
  package func make(_ kind: FlowMove.Kind) async -> Answer {
    let top = await state.window.top
    let answer: Answer =
      switch (kind, top) {
      case (.event(let name, let payload), let top?):
        await call(.delegate(top.coordinator, screen: top.id, event: name, payload: payload, seen: nil))
      case (.back, let top?): await call(.back(top.id))
      case (.event, nil), (.back, nil): .refused(.unknownCoordinator(tree.root))
      case (.outsideEvent(let name), _):
        await call(.delegate(tree.root, screen: nil, event: name, payload: [:], seen: nil))
      case (.workEnds(let id, let path, let ending?), _): await endWork(id, of: path, as: await ending())
      case (.workEnds(let id, let path, nil), _): await endWork(id, of: path)
      case (.timerFires, _): await fireTimer()
      case (.dismiss, _): await call(.dismiss(tree.root, animated: true))
      }
    await rest()
    return answer
  }

  /// Ends the run at any time.
  package func close() {
    gate.open()
    tree.close(isTimeout: false)
  }

  private func call(_ call: TreeCall) async -> Answer {
    do throws(CallError) {
      _ = try await TestFlow.answer { tree.post(call, reply: $0) }
      return .taken
    } catch {
      return .refused(error)
    }
  }

  private func fireTimer() async -> Answer {
    guard let due = await tree.state.nextDue else { return .refused(.unknownCoordinator(tree.root)) }
    clock.set(max(due, clock.now))
    do throws(CallError) {
      _ = try await TestFlow.answer { tree.fireTimer(reply: $0) }
      return .taken
    } catch {
      return .refused(error)
    }
  }

  private func endWork(_ id: WorkID, of path: CoordinatorPath) async -> Answer {
    let isLive = await state.coordinators[path].map { environment.catalogue.showsLiveValues($0.flow) } ?? false
    if await keepsSleeping(id, isLive) { return isLive ? .taken : .stuck }
    if isLive, await isUnwatched(id) { return .taken }
    guard await gate.letThrough(id, within: patience) else { return .stuck }
    return await handled(id, of: path)
  }

  /// Ends work that another process would perform.
  private func endWork(_ id: WorkID, of path: CoordinatorPath, as end: ProvidedWork.End) async -> Answer {
    guard let record = await state.coordinators[path],
      let work = record.work.first(where: { $0.id == id })?.work as? ProvidedWork
    else { return .refused(.unknownCoordinator(path)) }
    let instance = FlowInstance(flow: record.flow, path: path, startedAt: record.startedAt)
    do throws(CallError) {
      _ = try await TestFlow.answer { tree.end(work: work.id, of: instance, end, reply: $0) }
      return await handled(id, of: path)
    } catch {
      return .refused(error)
    }
  }

  /// Waits until a coordinator has received the end of its work.
  private func handled(_ id: WorkID, of path: CoordinatorPath) async -> Answer {
    // The queue is in order, so everything in it is handled before this is done. The result is delivered again if
    // another coordinator failed while it was handled the first time.
    for _ in 0..<64 {
      await tree.finishTurns()
      let state = await state
      if let reason = state.hold(of: path) { return .refused(.held(path, reason)) }
      guard state.coordinators[path]?.work.contains(where: { $0.id == id }) == true else { return .taken }
    }
    // A provider that could not be asked is asked again later.
    return .stuck
  }

  /// Wakes work that sleeps, as often as needed for work that ends at some time, and returns whether it still sleeps.
  private func keepsSleeping(_ id: WorkID, _ isLive: Bool) async -> Bool {
    for _ in 0..<16 where pace.isAsleep(id) {
      pace.wake(id)
      if isLive { await rest() } else { await atRest { await pace.rest(of: id) } }
    }
    return pace.isAsleep(id)
  }

  /// Returns whether work waits for a viewer, which only another move can provide.
  private func isUnwatched(_ id: WorkID) async -> Bool {
    guard !pace.isAtRest(id) else { return false }
    return await !tree.reportingWork.contains(id)
  }

  /// Waits until work that shows live values is at rest, and its reports are shown.
  private func rest() async {
    guard environment.catalogue.showLiveValues else { return }
    await atRest { await pace.rest(of: tree) }
    await tree.finishTurns()
  }

  private func atRest(_ wait: () async -> Void) async {
    let watch = pace.watch(patience)
    await wait()
    watch.cancel()
  }
}

extension FlowTree {
  /// Waits until everything in the queue has been handled, by a call that changes nothing.
  nonisolated func finishTurns() async {
    _ = try? await TestFlow.answer { post(.dismiss(root.child("nobody"), animated: false), reply: $0) }
  }
}

extension FlowRun {
  /// Creates a run that continues from the stored part of a state, as after a crash: secrets are lost, coordinators are
  /// notified of that, and the work of the state is pending again.
  ///
  /// - Parameters:
  ///   - explorer: the explorer of the flow.
  ///   - state: the state before the crash.
  /// - Throws: ``RestoringError``, or why the state cannot be stored.
  package init(of explorer: FlowExplorer, restarting state: TreeState) async throws {
    let environment = FlowRun(of: explorer).environment
    let stored = try StoredTree(state, in: environment.catalogue)
    self.init(of: explorer, continuing: try await FlowTree.restore(stored, environment: environment).state)
    await resume()
  }

  /// Returns what a restart of the daemon would lose in a state of this run; nil if nothing.
  func loss(byRestartIn state: TreeState) async -> String? {
    do {
      let stored = try StoredTree(state, in: environment.catalogue)
      let restored = try await FlowTree.restore(stored, environment: environment).state
      // Reports of work are not stored: they are shown again when the work has repeated them.
      let live = state.coordinators.values.filter {
        !$0.work.isEmpty && environment.catalogue.showsLiveValues($0.flow)
      }
      return restored.difference(from: state, except: Set(live.map(\.path)))
    } catch let error as RestoringError {
      return "the flow fails: \(error)"
    } catch {
      return "nothing is left, because the flow cannot be stored: \(error)"
    }
  }
}

extension TreeState {
  /// Returns what a renderer or a coordinator would notice if this state replaced another.
  ///
  /// - Parameters:
  ///   - other: the other state.
  ///   - live: the coordinators whose screens may show something else.
  /// - Returns: what they would notice; nil if nothing.
  fileprivate func difference(from other: TreeState, except live: Set<CoordinatorPath>) -> String? {
    guard coordinatorsInOrder.map(\.path) == other.coordinatorsInOrder.map(\.path) else { return "the coordinators differ" }
    guard window.screens.map(\.id) == other.window.screens.map(\.id) else { return "the screens differ" }
    let changed = zip(window.screens, other.window.screens).first { !live.contains($0.coordinator) && !$0.looksLike($1) }
    return changed.map { "\($0.1.content.name) shows something else" }
  }
}

extension ShownScreen {
  fileprivate func looksLike(_ other: ShownScreen) -> Bool {
    content == other.content && messages == other.messages && back == other.back && style == other.style && layer == other.layer
      && coordinator == other.coordinator && changedAt == other.changedAt
  }
}
