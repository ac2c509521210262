import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Starts flows, and answers the calls that wait for their start or their end. Used only on the host's executor.
final class FlowStarts {
  private let settings: HostSettings
  private let roots: RootRegistry
  private let heldBack: HeldBackCalls
  private let clients: ClientWatch
  private let deadlines: Deadlines
  private let ending: HostEnding
  private let scripts: ScriptProgram
  private let catalogue: FlowCatalogue
  private let environments: TreeEnvironments
  private let clock: MachineClock
  private let log: FlowLog
  private let connection: Connection
  private let busID: String
  private let entry: HostEntry

  /// Creates a part that starts flows.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the limits of calls.
  ///   - roots: decides whether flows may be started.
  ///   - heldBack: keeps the calls whose flows have not been restored yet.
  ///   - clients: watches callers.
  ///   - deadlines: keeps the timeouts of flows.
  ///   - ending: provides whether the daemon ends.
  ///   - scripts: finds out why a flow is not known.
  init(
    of host: HostServices, settings: HostSettings, roots: RootRegistry, heldBack: HeldBackCalls, clients: ClientWatch,
    deadlines: Deadlines, ending: HostEnding, scripts: ScriptProgram
  ) {
    (catalogue, environments, clock, log) = (host.catalogue, host.environments, host.clock, host.log)
    (connection, busID, entry) = (host.connection, host.busID, host.entry)
    (self.settings, self.roots, self.heldBack, self.clients) = (settings, roots, heldBack, clients)
    (self.deadlines, self.ending, self.scripts) = (deadlines, ending, scripts)
  }

  /// Handles `StartFlow` and `RunFlow`.
  func start(_ call: IncomingCall, answerWhen kind: StartWaiter.Kind) {
    do throws(DBusError) {
      try begin(call, answerWhen: kind)
    } catch {
      guard scripts.isPossible, case .unknownFlow = ContractError(error), let flow = call.arguments.first?.string else {
        return call.fail(error)
      }
      scripts.look(for: flow, call, answerWhen: kind)
    }
  }

  /// Handles `StartFlow` and `RunFlow` again, with an answer if the flow is still unknown.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - kind: when to answer the call.
  ///   - reason: why the flow is unknown; nil if nothing is known of it.
  func start(_ call: IncomingCall, answerWhen kind: StartWaiter.Kind, whereUnknown reason: String?) {
    do throws(DBusError) {
      try begin(call, answerWhen: kind)
    } catch {
      guard let reason, case .unknownFlow(let message) = ContractError(error) else { return call.fail(error) }
      call.fail(ContractError.unknownFlow(message: "\(message): \(reason)").dbusError)
    }
  }

  private func begin(_ call: IncomingCall, answerWhen kind: StartWaiter.Kind) throws(DBusError) {
    let start = try settings.reader.startCall(kind, call.arguments)
    if heldBack.isMissing(start.need) { return heldBack.hold(call, for: start.need) }
    let request = try settings.reader.startRequest(start, sender: call.sender, client: call.account, now: clock.moment)
    guard !ending.isClosing else { throw .failed("the daemon is shutting down") }
    var waiting = call
    let admission = try roots.admit(
      request,
      element: { () throws(DBusError) in
        let element = try element(of: request.flow)
        // Until its flow is known, the call counts like any other. Nothing is reserved yet, if too many wait.
        if kind == .ended { try waiting.waitForLong() }
        return element
      },
      isSingleton: { catalogue.description(of: request.flow)?.isSingleton == true })
    if case .isRestoring(let name) = admission { return heldBack.hold(call, for: .root(name)) }
    if kind == .ended { try waiting.waitForLong() }
    try answer(StartWaiter(kind: kind, call: waiting), request, as: admission)
  }

  private func answer(
    _ waiter: StartWaiter, _ request: StartRequest, as admission: RootRegistry.Admission
  ) throws(DBusError) {
    switch admission {
    case .refuse(let error): throw error
    case .start(let name): begin(name, request, waiter)
    case .isStarting(let name): wait(for: name, waiter)
    case .isLive(let root): join(root.name, waiter)
    case .isHeld(let name): join(name, waiter)
    // Such calls were held back earlier.
    case .isRestoring: break
    case .hasEnded(let root): waiter.answer(endOf: root.path, root.outcome)
    }
  }

  /// Returns the path element that the names of a flow's roots begin with.
  private func element(of flow: String) throws(DBusError) -> String {
    // Of a flow that has not been served since the daemon's start, only the stored coordinators are known.
    guard let description = catalogue.description(of: flow), catalogue.provided?.isStandIn(flow) != true else {
      throw ContractError.unknownFlow(named: flow).dbusError
    }
    guard !description.isInternal else { throw CallError.refused(.isInternal(flow)).dbusError }
    return description.element
  }

  private func begin(_ name: String, _ request: StartRequest, _ waiter: StartWaiter) {
    guard let root = roots.stored(name, bus: busID), let host = entry.host else { return }
    let tree = FlowTree(root: name, environment: environments.starting(root, for: host))
    roots.setTree(tree, of: name)
    wait(for: name, waiter)
    tree.start(
      flow: request.flow, input: request.input, language: request.language, takesProposals: request.takesProposals,
      caller: waiter.call.caller(request.way)
    ) { [connection, entry] result in
      // Success is announced by the publication, before this closure is called; see hasStarted(_:).
      guard case .failure(let error) = result else { return }
      connection.loop.post { entry.enter { $0.starts.hasNotStarted(name, error) } }
    }
  }

  private func wait(for name: String, _ waiter: StartWaiter) {
    roots.addWaiter(waiter, to: name)
    clients.track(waiter.call.sender, awaiting: waiter.kind == .ended ? name : nil)
  }

  private func join(_ name: String, _ waiter: StartWaiter) {
    guard waiter.kind == .ended else { return waiter.answer(startOf: CoordinatorPath(root: name)) }
    _ = roots.updateClients(of: name) { $0.waiters.append(waiter) }
    clients.track(waiter.call.sender, awaiting: name)
  }

  /// Answers all calls that wait for a flow that did not start.
  func hasNotStarted(_ name: String, _ error: CallError) {
    log.logNotStarted(name, error)
    let error = error.dbusError
    for waiter in roots.hasNotStarted(name) {
      waiter.call.fail(error)
      clients.stopAwaiting(name, by: waiter.call.sender)
      clients.untrackIfIdle(waiter.call.sender)
    }
  }

  /// Makes a started tree live.
  ///
  /// Called before the start is announced on the bus, because clients may call the tree as soon as they receive a
  /// signal. ``answerStarted(_:)`` answers the waiting calls after the signals.
  ///
  /// - Returns: whether it was being started.
  func hasStarted(_ publication: Publication) -> Bool {
    guard let root = roots.hasStarted(publication.state, last: LastTransition(publication)) else { return false }
    let hasCallerLeft = root.request.endsWithCaller && !clients.bind(root.name, to: root.request.sender)
    if hasCallerLeft || ending.isClosing { root.tree.closeInTurn(isTimeout: false) }
    if let timeout = root.request.timeout { deadlines.setEnd(of: .timeout(root.name), timeout.lapse?.end) }
    return true
  }

  /// Answers the calls that wait for the start of a flow, and keeps those that wait for its end.
  func answerStarted(_ name: String) {
    let started = roots.updateClients(of: name) { $0.takeWaiters(for: .started) }
    guard let started, let root = roots.live[name]?.state.root else { return }
    for waiter in started {
      waiter.answer(startOf: root)
      clients.untrackIfIdle(waiter.call.sender)
    }
  }
}

/// The state of a host that is about to end, and the continuations that wait until its flows have ended. Used only on the
/// host's executor.
final class HostEnding {
  /// Whether flows can no longer be started.
  private(set) var isClosing = false
  /// Whether all flows are being ended because the daemon ends and persists nothing.
  private(set) var isEndingAll = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Prevents flows from being started.
  func close() { isClosing = true }

  /// Prevents flows from being started, because all are being ended.
  func endAll() { (isClosing, isEndingAll) = (true, true) }

  /// Keeps a continuation until ``resumeWaiters()``.
  func wait(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }

  /// Resumes all continuations, because the last flow has ended, or because they have waited for too long.
  func resumeWaiters() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}
