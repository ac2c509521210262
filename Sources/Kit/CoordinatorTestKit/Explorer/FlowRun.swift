import CoordinatorKit

/// One run of the flow that is explored: what can happen to it is made to happen, one move at a time.
///
/// Between two moves nothing goes on in it but work, whose end is held back; so what it is then does not depend on time.
struct FlowRun: Sendable {
  let environment: FlowTree.Environment
  private let tree: FlowTree
  private let gate = WorkGate()
  private let patience: Duration

  /// What a move was answered with.
  enum Answer: Sendable {
    case taken
    case refused(CallError)
    /// The work did not end in time.
    case stuck
  }

  private struct Nobody: TreeObserver {
    func publish(_ publication: Publication) {}
    func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {}
  }

  /// A run that has not been started; or one that goes on from a state in which no work runs.
  init(of explorer: FlowExplorer, continuing state: TreeState? = nil) {
    var environment = FlowTree.Environment(
      catalogue: explorer.catalogue, limits: explorer.limits, observer: Nobody(), now: { 0 })
    environment.whenWorkIsDone = { [gate] id, tell in gate.hold(id, tell) }
    tree =
      state.map { FlowTree(continuing: $0, environment: environment) } ?? FlowTree(root: "flow_1", environment: environment)
    self.environment = environment
    patience = explorer.patience
  }

  /// Starts the flow.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: what to start it with.
  /// - Returns: why it did not start; nil if it did.
  func start(_ flow: String, input: [String: JSONValue]) async -> CallError? {
    do throws(CallError) {
      _ = try await TestFlow.answer { tree.start(flow: flow, input: input, reply: $0) }
      return nil
    } catch {
      return error
    }
  }

  /// What the flow is now.
  var state: TreeState { get async { await tree.state } }

  /// How many pieces of work run.
  var runningWork: Int { tree.runningWork }

  /// Makes a move, and waits until all that follows from it has happened.
  func make(_ move: FlowMove) async -> Answer {
    let top = await state.window.top
    return switch (move.kind, top) {
    case (.event(let name, let payload), let top?):
      await call(.delegate(top.coordinator, screen: top.id, event: name, payload: payload, seen: nil))
    case (.back, let top?): await call(.back(top.id))
    case (.event, nil), (.back, nil): .refused(.unknownCoordinator(tree.root))
    case (.outsideEvent(let name), _):
      await call(.delegate(tree.root, screen: nil, event: name, payload: [:], seen: nil))
    case (.workEnds(let id, let path), _): await endWork(id, of: path)
    case (.dismiss, _): await call(.dismiss(tree.root, animated: true))
    }
  }

  /// Ends the run, whatever it is doing.
  func close() {
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

  private func endWork(_ id: WorkID, of path: CoordinatorPath) async -> Answer {
    guard await gate.letThrough(id, within: patience) else { return .stuck }
    // What the queue holds is handled before a call that comes later is answered, and this one changes nothing. The coordinator is
    // told once more if somebody else failed over it the first time.
    repeat {
      _ = await call(.dismiss(tree.root.child("nobody"), animated: false))
    } while await state.coordinators[path]?.work.contains { $0.id == id } ?? false
    return .taken
  }
}
