import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Starts flows, and answers the calls that wait for their start or their end.
extension FlowHost {
  /// Handles `StartFlow` and `RunFlow`.
  func start(_ call: IncomingCall, answerWhen kind: StartWaiter.Kind) {
    do throws(DBusError) {
      let start = try reader.startCall(kind, call.arguments)
      if restoration.isMissing(start.need) { return restoration.hold(call, for: start.need) }
      let request = try reader.startRequest(start, sender: call.sender, client: call.account, now: clock.moment)
      guard !isClosing else { throw .failed("the daemon is shutting down") }
      var waiting = call
      if kind == .ended { try waiting.waitForLong() }
      let waiter = StartWaiter(kind: kind, call: waiting)
      let admission = try roots.admit(
        request, element: { () throws(DBusError) in try element(of: request.flow) },
        isSingleton: { catalogue.description(of: request.flow)?.isSingleton == true })
      switch admission {
      case .isRestoring(let name): restoration.hold(call, for: .root(name))
      case let admission: try answer(waiter, request, as: admission)
      }
    } catch {
      call.fail(error)
    }
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
    // Held back before.
    case .isRestoring: break
    case .hasEnded(let root): waiter.answer(endOf: root.path, root.outcome)
    }
  }

  /// Returns the path element that the names of a flow's roots begin with.
  private nonisolated func element(of flow: String) throws(DBusError) -> String {
    guard let description = catalogue.description(of: flow) else { throw ContractError.unknownFlow(named: flow).dbusError }
    guard !description.isInternal else { throw CallError.refused(.isInternal(flow)).dbusError }
    return description.element
  }

  private func begin(_ name: String, _ request: StartRequest, _ waiter: StartWaiter) {
    guard let root = roots.stored(name, bus: busID) else { return }
    let tree = FlowTree(root: name, environment: environments.starting(root, for: self))
    roots.setTree(tree, of: name)
    wait(for: name, waiter)
    tree.start(
      flow: request.flow, input: request.input, language: request.language, caller: waiter.call.caller
    ) { result in
      // Success is announced by the publication, before this closure is called; see hasStarted(_:).
      guard case .failure(let error) = result else { return }
      self.connection.loop.post { self.assumeIsolated { $0.hasNotStarted(name, error) } }
    }
  }

  private func wait(for name: String, _ waiter: StartWaiter) {
    roots.addWaiter(waiter, to: name)
    track(waiter.call.sender, awaiting: waiter.kind == .ended ? name : nil)
  }

  private func join(_ name: String, _ waiter: StartWaiter) {
    guard waiter.kind == .ended else { return waiter.answer(startOf: CoordinatorPath(root: name)) }
    _ = roots.updateClients(of: name) { $0.waiters.append(waiter) }
    track(waiter.call.sender, awaiting: name)
  }

  /// Answers all calls that wait for a flow that did not start.
  func hasNotStarted(_ name: String, _ error: CallError) {
    log.logNotStarted(name, error)
    let error = error.dbusError
    for waiter in roots.hasNotStarted(name) {
      waiter.call.fail(error)
      clients.stopAwaiting(name, by: waiter.call.sender)
      untrackIfIdle(waiter.call.sender)
    }
  }

  /// Makes a started tree live.
  ///
  /// Called before the start is announced on the bus, because clients may call the tree as soon as they receive a
  /// signal. ``answerStarted(_:)`` answers the waiting calls after the signals.
  ///
  /// - Returns: whether it was being started.
  func hasStarted(_ state: TreeState) -> Bool {
    guard let root = roots.hasStarted(state) else { return false }
    let hasCallerLeft = root.request.endsWithCaller && !clients.bind(root.name, to: root.request.sender)
    if hasCallerLeft || isClosing { close(root.name, isTimeout: false) }
    if let timeout = root.request.timeout { setEnd(of: .timeout(root.name), timeout.lapse?.end) }
    return true
  }

  /// Answers the calls that wait for the start of a flow, and keeps those that wait for its end.
  func answerStarted(_ name: String) {
    let started = roots.updateClients(of: name) { $0.takeWaiters(for: .started) }
    guard let started, let root = roots.live[name]?.state.root else { return }
    for waiter in started {
      waiter.answer(startOf: root)
      untrackIfIdle(waiter.call.sender)
    }
  }
}
