import Synchronization

/// A connection to a message bus, owned by the thread of an ``EventLoop``.
///
/// The actor runs on the loop's serial executor, together with the actors of the program that do the same: for them its
/// functions are synchronous with `assumeIsolated`, and messages leave in the order in which they were sent. Messages of one
/// sender are handled in the order in which they came. No function blocks the thread.
///
/// When the bus goes away, calls that wait fail with ``ConnectionError/disconnected`` at once, signal sequences end, and
/// ``events`` tells; the connection is then of no more use and another one is opened.
public actor Connection {
  /// The loop that owns the connection.
  public nonisolated let loop: EventLoop
  /// The name that the bus gave to the connection, such as `:1.42`.
  public nonisolated let uniqueName: String
  /// What the connection sends and takes at most.
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
  var holdsDepartureRule = false
  var ownedNames: Set<String> = []
  var padding = Padding()
  /// Who may call; nil for everybody.
  var gate: Admitting?
  var callLines: CallLines
  var longCalls: LongCalls
  var unsent = OutgoingLedger()
  var largeAnswers: LargeAnswers
  var drainWaiters: [CheckedContinuation<Void, Never>] = []
  /// Who waits until all calls of others are answered.
  var answerWaiters: [CheckedContinuation<Void, Never>] = []
  /// Whether signals to everybody are dropped.
  var isRetired = false
  private let lastID = Atomic<UInt64>(0)

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - bus: Which bus.
  ///   - loop: The loop to run on; nil for one of the connection's own.
  ///   - limits: What to send and to take at most.
  ///   - rule: Who may call; nil for everybody. A caller's credentials are asked of the bus at its first call, on which the calls behind it
  ///     wait; who is not admitted is answered with `AccessDenied`, whatever it calls.
  /// - Returns: The connection, which has said Hello.
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

  /// A number that nothing else on this connection has.
  nonisolated func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Runs `body` at once in a serial job, and elsewhere as one behind those that are queued.
  nonisolated func runIsolated(_ body: @escaping @Sendable (isolated Connection) -> Void) {
    if loop.isInSerialJob {
      assumeIsolated { body($0) }
    } else {
      loop.post { self.assumeIsolated { body($0) } }
    }
  }

  /// What happens to the connection itself. Each use is a sequence of its own, from then on; it keeps the newest 64 events,
  /// and ends after ``ConnectionEvent/disconnected``.
  public nonisolated var events: AsyncStream<ConnectionEvent> { eventHub.stream() }

  /// Waits until everything that was sent so far, property changes included, is written to the bus, or the connection is lost.
  public func flush() async {
    flushPropertyChanges()
    guard isOpen, !isDrained else { return }
    await withCheckedContinuation { drainWaiters.append($0) }
  }

  /// Writes what is queued, for five seconds at most, and closes the connection. What waits for a reply fails with
  /// `disconnected`.
  public func close() async {
    let timer = loop.schedule(after: .seconds(5)) { [weak self] in self?.assumeIsolated { $0.resumeDrainWaiters() } }
    await flush()
    timer.cancel()
    disconnect()
  }

  private var isDrained: Bool { link.isDrained && largeAnswers.isEmpty }

  /// Called when libdbus has written something.
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

  /// Notes a message that was handed to libdbus, if it waits there.
  func note(_ bytes: Int, to recipient: String?) {
    let outgoing = link.outgoingSize
    guard outgoing > 0 else {
      // libdbus has written all that waited, and not because it could: nobody else tells.
      if !unsent.isEmpty { loop.post { [link] in link.didWrite() } }
      return
    }
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
    changes = PropertyChanges()
    gate?.admission.clear()
    unsent = OutgoingLedger()
    largeAnswers = LargeAnswers(limits: limits)
    // Objects often hold the connection that they are on.
    objects = ObjectTree()
    resumeDrainWaiters()
    resumeAnswerWaiters()
    eventHub.send(.disconnected)
    eventHub.finish()
  }

  /// Checks a message and hands it to libdbus, property changes first.
  ///
  /// - Throws: `InvalidArgs` or `LimitsExceeded` for a message that cannot be sent, `Disconnected` without a connection.
  @discardableResult
  func send(_ message: OutgoingMessage) throws(DBusError) -> UInt32 {
    flushPropertyChanges()
    let size = try message.check(limits)
    switch message.kind {
    case .methodCall where message.destination == BusDriver.name:
      // A rule that could not be taken back, or a name not asked about, would be worse than a few bytes more.
      break
    case .methodCall:
      guard link.outgoingSize <= limits.outgoingQueue else {
        throw .limitsExceeded("more than \(limits.outgoingQueue) bytes wait to be sent")
      }
    case .methodReturn, .error, .signal: break
    }
    guard isOpen, let sent = link.send(message, size: size) else { throw .disconnected("the connection to the bus is closed") }
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
  /// What a caller gets from this reply.
  fileprivate func result(errorName: String?) -> Result<[Value], any Error> {
    switch body {
    case .failure(let reason): .failure(ConnectionError.unreadableReply(reason.asError.message))
    case .success(let values): errorName.map { .failure(DBusError(name: $0, body: values)) } ?? .success(values)
    }
  }
}
