import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

extension FlowHost {
  /// Handles `StartFlow` and `RunFlow`.
  func start(_ call: IncomingCall, answerWhen kind: StartWaiter.Kind) {
    do throws(DBusError) {
      let request = try reader.startRequest(
        kind, call.arguments, sender: call.sender, client: call.account, now: clock.now())
      guard !isClosing else { throw .failed("the daemon is shutting down") }
      var waiting = call
      if kind == .ended { try waiting.waitForLong() }
      let waiter = StartWaiter(kind: kind, call: waiting)
      switch try roots.admit(request, element: { () throws(DBusError) in try element(of: request.flow) }) {
      case .refuse(let error): throw error
      case .start(let name): begin(name, request, waiter)
      case .isStarting(let name):
        roots.addWaiter(waiter, to: name)
        track(call.sender, awaiting: kind == .ended ? name : nil)
      case .isLive(let root): join(root.name, waiter)
      case .isHeld(let name): join(name, waiter)
      case .isRestoring(let name): restoration.hold(call, for: .root(name))
      case .hasEnded(let root): answer(waiter, path: root.path, root.outcome)
      }
    } catch {
      call.fail(error)
    }
  }

  /// Returns the path element that the names of a flow's roots begin with.
  private nonisolated func element(of flow: String) throws(DBusError) -> String {
    guard let description = catalogue.description(of: flow) else { throw ContractError.unknownFlow(named: flow).dbusError }
    return description.element
  }

  private func begin(_ name: String, _ request: StartRequest, _ waiter: StartWaiter) {
    guard let root = roots.stored(name, bus: busID) else { return }
    let tree = FlowTree(root: name, environment: environment(starting: root))
    roots.setTree(tree, of: name)
    roots.addWaiter(waiter, to: name)
    track(request.sender, awaiting: waiter.kind == .ended ? name : nil)
    tree.start(flow: request.flow, input: request.input, caller: waiter.call.caller) { result in
      // Success is announced by the publication, before this closure is called; see hasStarted(_:).
      guard case .failure(let error) = result else { return }
      self.connection.loop.post { self.assumeIsolated { $0.hasNotStarted(name, error) } }
    }
  }

  /// Answers all calls that wait for a flow that did not start.
  func hasNotStarted(_ name: String, _ error: CallError) {
    let error = error.dbusError
    for waiter in roots.hasNotStarted(name) {
      waiter.call.fail(error)
      clients.stopAwaiting(name, by: waiter.call.sender)
      untrackIfIdle(waiter.call.sender)
    }
  }

  private func join(_ name: String, _ waiter: StartWaiter) {
    switch waiter.kind {
    case .started: waiter.call.reply(paths(of: CoordinatorPath(root: name)))
    case .ended:
      _ = roots.updateClients(of: name) { $0.waiters.append(waiter) }
      track(waiter.call.sender, awaiting: name)
    }
  }

  /// Makes a started tree live.
  ///
  /// Called before the start is announced on the bus, because clients may call the tree as soon as they receive a
  /// signal. ``answerStarted(_:)`` answers the waiting calls after the signals.
  ///
  /// - Returns: the live root; nil if it was not being started.
  func hasStarted(_ state: TreeState) -> LiveRoot? {
    guard let root = roots.hasStarted(state) else { return nil }
    if root.request.endsWithCaller, !clients.bind(root.name, to: root.request.sender) {
      // The caller left while the flow was being started.
      close(root.name, isTimeout: false)
    }
    if isClosing { close(root.name, isTimeout: false) }
    if let deadline = root.request.deadline { end(root, at: deadline) }
    return root
  }

  /// Answers the calls that wait for the start of a flow, and keeps those that wait for its end.
  func answerStarted(_ name: String) {
    let started = roots.updateClients(of: name) { clients in
      let started = clients.waiters.filter { $0.kind == .started }
      // A new array, because the old one would keep its memory, and most flows have no waiters from here on.
      clients.waiters = clients.waiters.filter { $0.kind != .started }
      return started
    }
    guard let root = roots.live[name]?.state.root else { return }
    for waiter in started ?? [] {
      waiter.call.reply(paths(of: root))
      untrackIfIdle(waiter.call.sender)
    }
  }

  /// Answers a call that waits for a flow that has ended.
  func answer(_ waiter: StartWaiter, path: CoordinatorPath, _ outcome: Outcome) {
    switch waiter.kind {
    case .started: waiter.call.reply(paths(of: path))
    case .ended: waiter.call.reply([.string(outcome.name), resultValue(of: outcome)])
    }
  }

  /// Answers all calls that wait for a flow that has ended. If there are many answers, or large ones, each waits until
  /// there is room for it.
  func answer(_ waiters: [StartWaiter], of root: LiveRoot, _ outcome: Outcome) {
    let path = root.state.root
    let result = resultValue(of: outcome)
    guard waiters.count > 16 || (waiters.count > 1 && outcome.roughSize > LargeAnswer.size) else {
      return waiters.forEach { answer($0, path: path, outcome) }
    }
    for waiter in waiters {
      guard waiter.kind == .ended else {
        answer(waiter, path: path, outcome)
        continue
      }
      waiter.call.reply(inTurn: { () throws(DBusError) in
        LargeAnswer(key: "end of \(path)", stamp: root.sequence) { [.string(outcome.name), result] }
      })
    }
  }

  /// Returns the result to send with an outcome. If a flow was cancelled only because the daemon ends, the result says
  /// so.
  func resultValue(of outcome: Outcome) -> Value {
    isEndingAll && outcome == .cancelled ? .vardict(["reason": .string("stopped")]) : outcome.resultValue
  }

  private func paths(of root: CoordinatorPath) -> [Value] { [.objectPath(root.objectPath), .objectPath(root.routerPath)] }
}
