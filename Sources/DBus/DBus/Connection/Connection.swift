import Platform
import Synchronization

/// A connection to a message bus, owned by the thread of an ``EventLoop``.
///
/// The actor runs on the loop's serial executor, which other actors of the program may share: they can call its methods
/// synchronously with `assumeIsolated`, and messages leave in the order in which they were sent. Messages from one
/// sender are handled in the order in which they arrived. No method blocks the thread.
///
/// When the bus goes away, pending calls fail with ``ConnectionError/disconnected`` at once, signal sequences end, and
/// ``events`` delivers ``ConnectionEvent/disconnected``. The connection cannot be used any further; open another one.
public actor Connection {
  /// The loop that owns the connection.
  public nonisolated let loop: EventLoop
  /// The unique name that the bus assigned to the connection, such as `:1.42`.
  public nonisolated let uniqueName: String
  /// The limits for outgoing and incoming messages that the connection was opened with.
  public nonisolated let limits: MessageLimits

  /// The loop's serial executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serialExecutor.asUnownedSerialExecutor() }

  let link: Link
  nonisolated let eventHub = EventHub()
  let rules = MatchRules()
  let subscriptions = Subscriptions()
  let ownerWatches = OwnerWatches()
  let departures = Departures()
  let ownNames = OwnNames()
  let padding = PaddingSender()
  let largeAnswers: LargeAnswers
  /// Nil if all senders may call.
  let admitting: Admitting?
  private(set) var isOpen = true
  private(set) var objects = ObjectTree()
  private(set) var callLines: CallLines
  private(set) var longCalls: LongCalls
  private var calls = PendingCalls()
  private var changes = PropertyChanges()
  private var unsent = OutgoingLedger()
  /// The tasks that wait until the outgoing queue has been written.
  private var drainWaiters = WaitingTasks()
  /// The tasks that wait until all incoming calls are answered.
  private var answerWaiters = WaitingTasks()
  private let lastID = Atomic<UInt64>(0)

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - bus: the bus to connect to.
  ///   - loop: the loop to run on; nil for a new loop that only this connection uses.
  ///   - limits: the limits for outgoing and incoming messages.
  ///   - rule: the rule that decides who may call; nil to admit all senders. The connection asks the bus for a caller's
  ///     credentials at the caller's first call, and holds the caller's calls until the answer arrives. Every call of a caller
  ///     that is not admitted is answered with `AccessDenied`.
  /// - Returns: the connection, after it has said Hello.
  /// - Throws: `ConnectionError.cannotConnect` with the address that was tried.
  public static func open(
    _ bus: BusAddress, loop: EventLoop? = nil, limits: MessageLimits = .default, admitting rule: AdmissionRule? = nil
  ) async throws(ConnectionError) -> Connection {
    let opened = try await LinkOpener.open(bus)
    let connection = Connection(opened, loop: loop ?? EventLoop(), limits: limits, rule)
    guard await connection.start() else {
      await connection.disconnect()
      throw .cannotConnect(address: bus.description, reason: "out of memory")
    }
    return connection
  }

  private init(_ opened: LinkOpener.Opened, loop: EventLoop, limits: MessageLimits, _ rule: AdmissionRule?) {
    admitting = rule.map(Admitting.init)
    self.loop = loop
    self.limits = limits
    callLines = CallLines(limits: limits)
    longCalls = LongCalls(limits: limits)
    largeAnswers = LargeAnswers(limits: limits)
    uniqueName = opened.uniqueName
    link = Link(opened, loop: loop, limits: limits)
  }

  deinit {
    let link = link
    loop.post { link.close() }
    eventHub.finish()
  }

  private func start() -> Bool {
    link.start(
      receive: { [weak self] message in self?.assumeIsolated { $0.receive(message) } },
      written: { [weak self] in self?.assumeIsolated { $0.hasWritten() } })
  }

  /// Returns a number that is unique on this connection.
  nonisolated func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Runs `body` immediately if the caller is in a serial job of the loop; otherwise queues it as a serial job.
  nonisolated func runIsolated(_ body: @escaping @Sendable (isolated Connection) -> Void) {
    if loop.isInSerialJob {
      assumeIsolated { body($0) }
    } else {
      loop.post { self.assumeIsolated { body($0) } }
    }
  }

  /// Events that concern the connection itself.
  ///
  /// Each access returns a new sequence, which begins with the next event. It buffers the newest 64 events, and ends
  /// after ``ConnectionEvent/disconnected``.
  public nonisolated var events: AsyncStream<ConnectionEvent> { eventHub.stream() }

  /// Sends pending property changes, then waits until the outgoing queue, including large answers, has been written to
  /// the bus or the connection is lost.
  public func flush() async {
    flushPropertyChanges()
    guard isOpen, !isDrained else { return }
    await withCheckedContinuation { drainWaiters.add($0) }
  }

  /// Writes the queued messages, for at most five seconds, and closes the connection. Pending calls fail with
  /// ``ConnectionError/disconnected``.
  public func close() async {
    let timer = loop.schedule(after: .seconds(5)) { [weak self] in self?.assumeIsolated { $0.drainWaiters.resume() } }
    await flush()
    timer.cancel()
    disconnect()
  }

  private var isDrained: Bool { link.isDrained && largeAnswers.isEmpty }

  /// Called after something has been written.
  private func hasWritten() {
    for sender in unsent.hasLeft(link.outgoingSize, limit: limits.unsentPerSender) {
      callLines.go(on: sender, .unsent)
      serveNext(of: sender)
    }
    largeAnswers.makeNext(on: self)
    drainedPerhaps()
  }

  func drainedPerhaps() {
    if isDrained { drainWaiters.resume() }
  }

  /// Records a message that was queued, if the socket does not accept it now.
  private func note(_ bytes: Int, to recipient: String?) {
    guard link.isBlocked else { return }
    unsent.add(bytes, to: recipient)
    guard let recipient, unsent.bytes(to: recipient) > limits.unsentPerSender else { return }
    callLines.stop(recipient, .unsent)
  }

  /// Ends everything that depends on the connection.
  func disconnect() {
    guard isOpen else { return }
    isOpen = false
    link.close()
    for completion in calls.removeAll() { completion(self, .failure(ConnectionError.disconnected)) }
    subscriptions.clear()
    rules.clear()
    ownerWatches.clear()
    departures.clear()
    ownNames.clear()
    changes = PropertyChanges()
    admitting?.clear()
    unsent = OutgoingLedger()
    largeAnswers.clear()
    // Objects often hold a reference to the connection that they are exported on.
    objects = ObjectTree()
    drainWaiters.resume()
    answerWaiters.resume()
    eventHub.send(.disconnected)
    eventHub.finish()
  }

  /// Checks a message and queues it, after pending property changes.
  ///
  /// - Throws: `InvalidArgs` or `LimitsExceeded` for a message that cannot be sent, `Disconnected` if the connection is
  ///   closed.
  @discardableResult
  func send(_ message: OutgoingMessage) throws(DBusError) -> UInt32 {
    flushPropertyChanges()
    try message.check(limits)
    switch message.kind {
    case .methodCall where message.destination == BusDriver.name:
      // Not subject to the queue limit: a match rule that is never removed, or a name that is never looked up, would be
      // worse than a few more bytes.
      break
    case .methodCall:
      guard link.outgoingSize <= limits.outgoingQueue else {
        throw .limitsExceeded("more than \(limits.outgoingQueue) bytes are waiting to be sent")
      }
    case .methodReturn, .error, .signal: break
    }
    guard isOpen, let sent = link.send(message) else { throw .disconnected("the connection to the bus is closed") }
    note(sent.bytes, to: message.destination)
    return sent.serial
  }

  /// Queues the reply to a call, after pending property changes.
  func send(_ result: Result<MadeAnswer, DBusError>, to slot: ReplySlot) {
    flushPropertyChanges()
    switch result {
    case .success(let made):
      guard isOpen, let sent = link.send(made, to: slot.sender, replyTo: slot.serial) else { return }
      note(sent.bytes, to: slot.sender)
    case .failure(let error): answer(.failure(error), results: nil, sender: slot.sender, serial: slot.serial)
    }
  }

  /// Sends a signal, either as a broadcast or to `destination` alone.
  ///
  /// - Throws: `InvalidArgs` for names or values that no message can contain; `LimitsExceeded` for a message beyond the
  ///   limits; `Disconnected`. Signals are never refused because of a full outgoing queue.
  public func emit(_ signal: Signal, to destination: String? = nil) throws(DBusError) {
    if destination == nil, ownNames.isRetired { return }
    try send(.signal(signal, to: destination))
    largeAnswers.note(signal, to: destination)
  }

  /// Sends a call and arranges for `completion` to be called exactly once.
  func start(_ call: MethodCall, id: UInt64? = nil, deadline: Duration? = .seconds(25), completion: @escaping CallCompletion) {
    let id = id ?? nextID()
    do {
      let serial = try send(.call(call, expectsReply: true))
      let timer = deadline.map { deadline in
        loop.schedule(after: deadline) { [weak self] in self?.assumeIsolated { $0.giveUp(id, ConnectionError.timedOut) } }
      }
      calls.add(serial: serial, id: id, destination: call.destination, timer: timer, completion: completion)
    } catch {
      completion(self, .failure(isOpen ? error : ConnectionError.disconnected))
    }
  }

  /// Ends a call that has not been answered with an error.
  func giveUp(_ id: UInt64, _ error: any Error) { calls.remove(id: id)?(self, .failure(error)) }

  /// Records that properties have changed, and schedules the signals about them.
  func noteChanges(of names: [String], at key: PropertyChanges.Key) {
    guard isOpen else { return }
    if changes.isEmpty {
      loop.post { [weak self] in self?.assumeIsolated { $0.flushPropertyChanges() } }
    }
    changes.add(names, at: key)
  }

  /// Sends the changes that ``propertiesChanged(at:interface:names:)`` has recorded.
  func flushPropertyChanges() {
    guard !changes.isEmpty else { return }
    let flushed = changes
    // Cleared before anything is sent, because sending flushes.
    changes = PropertyChanges()
    send(flushed)
  }

  private func receive(_ message: ReceivedMessage) {
    switch message.kind {
    case .methodCall(let expectsReply): dispatchCall(message, expectsReply: expectsReply)
    case .methodReturn(let serial):
      calls.remove(serial: serial, answeredBy: message.sender)?(self, message.result(errorName: nil))
    case .error(let serial, let name):
      calls.remove(serial: serial, answeredBy: message.sender)?(self, message.result(errorName: name))
    case .signal: receiveSignal(message)
    }
  }
}

/// Incoming calls.
extension Connection {
  /// Sets how many incoming calls may wait for their answer from now on, and how much memory they may use. Calls that
  /// already wait are not refused retroactively. The other limits are not changed.
  public func limitCalls(_ limits: MessageLimits) { callLines.limits = limits }

  private func dispatchCall(_ message: ReceivedMessage, expectsReply: Bool) {
    let (arguments, unreadable): ([Value], UnreadableBody?) =
      switch message.body {
      case .success(let arguments): (arguments, nil)
      case .failure(let reason): ([], reason)
      }
    let call = IncomingCall(message, arguments: arguments, expectsReply: expectsReply, connection: self)
    let arrived = ArrivedCall(call: call, unreadable: unreadable)
    if let admitting { admitting.receive(arrived, size: message.size, on: self) } else { carryOut(arrived) }
  }

  /// Carries out a call whose sender is admitted, or adds it to the sender's queue.
  func carryOut(_ arrived: ArrivedCall) {
    if let reason = arrived.unreadable { return refuse(arrived.call, reason.asError) }
    switch callLines.arrive(arrived.call) {
    case .refuse(let error): refuse(arrived.call, error)
    case .wait: serveNext(of: arrived.call.sender)
    case .dispatch:
      timed(arrived.call.sender) { connection in
        connection.dispatch(arrived.call)
        arrived.call.slot.begin(on: connection)
      }
    }
  }

  /// Runs `body`. If it has occupied the loop for long and other jobs wait, holds the sender's next call until the loop
  /// has nothing else to do.
  private func timed(_ sender: String, _ body: (isolated Connection) -> Void) {
    let start = Monotonic.now()
    body(self)
    guard Monotonic.now() - start > CallPace.longest.load(ordering: .relaxed), loop.hasJobs, callLines.stop(sender, .hasTakenLong)
    else { return }
    loop.postPatiently { [weak self] in
      self?.assumeIsolated { connection in
        connection.callLines.go(on: sender, .hasTakenLong)
        connection.serveWaiting(of: sender)
      }
    }
  }

  /// Schedules the sender's next queued call, if it may be carried out now. Each call is a separate job, so that senders take
  /// turns.
  func serveNext(of sender: String) {
    guard callLines.takesTurn(sender) else { return }
    loop.post { [weak self] in self?.assumeIsolated { $0.serveWaiting(of: sender) } }
  }

  private func serveWaiting(of sender: String) {
    guard isOpen, let call = callLines.next(of: sender) else { return }
    call.slot.leaveLine(on: self)
    timed(sender) { $0.dispatch(call) }
    serveNext(of: sender)
  }

  /// Stops carrying out a sender's calls.
  func stopCalls(of sender: String, _ reason: CallLines.Stops) { callLines.stop(sender, reason) }

  /// Ends a reason not to carry out a sender's calls; ``serveNext(of:)`` must follow.
  func resumeCalls(of sender: String, _ reason: CallLines.Stops) { callLines.go(on: sender, reason) }

  /// Counts a call that was dispatched on arrival and not answered immediately.
  func begin(_ slot: ReplySlot) { callLines.begin(slot) }

  /// Stops counting a call that has been answered.
  func end(_ account: CallAccount) {
    callLines.end(account)
    serveNext(of: account.sender)
    callsMayBeAnswered()
  }

  /// Counts a call that waits for long.
  ///
  /// - Throws: `LimitsExceeded` if there are too many.
  func addLongCall(of account: String) throws(DBusError) { try longCalls.add(of: account) }

  /// Stops counting a call that waits for long.
  func removeLongCall(of account: String) { longCalls.remove(of: account) }

  /// Whether any incoming call is unanswered, including those that wait for long.
  public var hasUnansweredCalls: Bool { hasCallsUnderWay || longCalls.total > 0 }

  /// Waits until all incoming calls except those that wait for long are answered, the connection is lost, or the time
  /// is up.
  ///
  /// - Parameter limit: the maximum time to wait.
  public func answerCalls(for limit: Duration) async {
    guard isOpen, hasCallsUnderWay else { return }
    let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.answerWaiters.resume() } }
    await withCheckedContinuation { answerWaiters.add($0) }
    timer.cancel()
  }

  private var hasCallsUnderWay: Bool { callLines.total.calls > 0 || admitting?.isEmpty == false }

  /// Resumes the tasks that wait for all calls to be answered, if they are.
  func callsMayBeAnswered() {
    if !answerWaiters.isEmpty, !hasCallsUnderWay { answerWaiters.resume() }
  }
}

extension Connection {
  /// Serves a subtree: `path` and everything below it. Replaces a source already registered at `path`. If sources are
  /// nested, the deepest one answers.
  public func serve(_ source: any ObjectSource, below path: ObjectPath) { objects.add(source, below: path) }

  /// Stops serving a subtree that was registered with ``serve(_:below:)``.
  public func stopServing(below path: ObjectPath) { objects.removeSource(below: path) }

  /// Exports one object at a path. It takes precedence over an object that a source provides there.
  ///
  /// - Throws: `PathInUse` if an object is already exported at the path.
  public func export(_ object: any ExportedObject, at path: ObjectPath) throws(PathInUse) {
    guard objects.export(object, at: path) else { throw PathInUse(path: path) }
  }

  /// Removes an object that was exported with ``export(_:at:)``.
  public func unexport(_ path: ObjectPath) { objects.unexport(path) }
}
