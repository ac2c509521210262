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
  var isOpen = true
  var calls = PendingCalls()
  var objects = ObjectTree()
  var changes = PropertyChanges()
  var matches: [String: MatchEntry] = [:]
  var subscriptions: [UInt64: Subscription] = [:]
  var owners: [String: NameOwner] = [:]
  var departures: [String: Departures] = [:]
  var ownerWatches: [String: OwnerWatches] = [:]
  var holdsDepartureRule = false
  var ownedNames: Set<String> = []
  var padding = Padding()
  /// The admission state; nil if all senders may call.
  var gate: Admitting?
  var callLines: CallLines
  var longCalls: LongCalls
  var unsent = OutgoingLedger()
  var largeAnswers: LargeAnswers
  var drainWaiters: [CheckedContinuation<Void, Never>] = []
  /// The tasks that wait until all incoming calls are answered.
  var answerWaiters: [CheckedContinuation<Void, Never>] = []
  /// Whether broadcast signals are dropped.
  var isRetired = false
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
    gate = rule.map(Admitting.init)
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
    for subscription in subscriptions.values { subscription.buffer.finish() }
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
    await withCheckedContinuation { drainWaiters.append($0) }
  }

  /// Writes the queued messages, for at most five seconds, and closes the connection. Pending calls fail with
  /// ``ConnectionError/disconnected``.
  public func close() async {
    let timer = loop.schedule(after: .seconds(5)) { [weak self] in self?.assumeIsolated { $0.resumeDrainWaiters() } }
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
    makeNextAnswer()
    drainedPerhaps()
  }

  func drainedPerhaps() {
    if isDrained { resumeDrainWaiters() }
  }

  /// Records a message that was queued, if the socket does not accept it now.
  func note(_ bytes: Int, to recipient: String?) {
    guard link.isBlocked else { return }
    unsent.add(bytes, to: recipient)
    guard let recipient, unsent.bytes(to: recipient) > limits.unsentPerSender else { return }
    callLines.stop(recipient, .unsent)
  }

  private func resumeDrainWaiters() {
    defer { drainWaiters = [] }
    for waiter in drainWaiters { waiter.resume() }
  }

  /// Ends everything that depends on the connection.
  func disconnect() {
    guard isOpen else { return }
    isOpen = false
    link.close()
    for completion in calls.removeAll() { completion(self, .failure(ConnectionError.disconnected)) }
    for subscription in subscriptions.values { subscription.buffer.finish() }
    (subscriptions, matches, owners, departures, ownedNames) = ([:], [:], [:], [:], [])
    ownerWatches = [:]
    changes = PropertyChanges()
    gate?.admission.clear()
    unsent = OutgoingLedger()
    largeAnswers = LargeAnswers(limits: limits)
    // Objects often hold a reference to the connection that they are exported on.
    objects = ObjectTree()
    resumeDrainWaiters()
    resumeAnswerWaiters()
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

extension ReceivedMessage {
  /// Returns the result that this reply delivers to the caller.
  fileprivate func result(errorName: String?) -> Result<[Value], any Error> {
    switch body {
    case .failure(let reason): .failure(ConnectionError.unreadableReply(reason.asError.message))
    case .success(let values): errorName.map { .failure(error(named: $0, values)) } ?? .success(values)
    }
  }

  private func error(named name: String, _ body: [Value]) -> DBusError {
    var error = DBusError(name: name, body: body)
    error.isFromBus = sender == BusDriver.name
    return error
  }
}

extension Connection {
  /// Sets how many incoming calls may wait for their answer from now on, and how much memory they may use. Calls that
  /// already wait are not refused retroactively. The other limits are not changed.
  public func limitCalls(_ limits: MessageLimits) { callLines.limits = limits }
}

/// The error for exporting an object at a path that already has one.
public struct PathInUse: Error, Sendable, Hashable {
  /// The path that is in use.
  public let path: ObjectPath

  /// Creates an error about `path`.
  public init(path: ObjectPath) { self.path = path }
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
    guard objects.exports[path] == nil else { throw PathInUse(path: path) }
    objects.exports[path] = object
  }

  /// Removes an object that was exported with ``export(_:at:)``.
  public func unexport(_ path: ObjectPath) { objects.exports[path] = nil }
}

/// An event that concerns a connection itself.
public enum ConnectionEvent: Sendable, Hashable {
  /// Another connection has taken over a name that this one owned.
  case nameLost(String)
  /// The bus refused the match rule that reports departures; `watchDeparture` does not work for now.
  case watchRefused(DBusError)
  /// The connection has been closed, by this process or by the bus. The last event.
  case disconnected
}

/// Distributes each event to all streams. May be used from any thread.
final class EventHub: Sendable {
  private struct State {
    var continuations: [UInt64: AsyncStream<ConnectionEvent>.Continuation] = [:]
    var lastKey: UInt64 = 0
    var isFinished = false
  }

  private let state = Lock(State())

  func stream() -> AsyncStream<ConnectionEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ConnectionEvent.self, bufferingPolicy: .bufferingNewest(64))
    let key: UInt64? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.lastKey += 1
      state.continuations[state.lastKey] = continuation
      return state.lastKey
    }
    guard let key else {
      continuation.yield(.disconnected)
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(key) }
    return stream
  }

  func send(_ event: ConnectionEvent) {
    for continuation in state.withLock({ $0.continuations }).values { continuation.yield(event) }
  }

  func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer { state.continuations = [:] }
      return state.continuations
    }
    for continuation in continuations.values { continuation.finish() }
  }

  private func remove(_ key: UInt64) {
    // The continuation is released outside the lock.
    _ = state.withLock { $0.continuations.removeValue(forKey: key) }
  }
}
