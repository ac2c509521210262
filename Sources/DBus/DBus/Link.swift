import CDBus
import Glibc
import Platform

/// The only owner of a `DBusConnection`. All libdbus calls that involve a connection are in this folder.
///
/// libdbus authenticates, says Hello, reads, and checks incoming messages; after Hello it writes nothing, and this type writes
/// all outgoing messages.
///
/// libdbus's callbacks only record events, because they may run with its lock held or inside a dispatch. A job of the loop acts
/// on the events.
///
/// `@unchecked Sendable`, because jobs and watches of the loop must hold it: its mutable state is accessed only in serial jobs
/// of `loop` (asserted at the entry points), which never run concurrently, and `LinkOpener`'s thread is done with the
/// connection before the link exists. The callbacks are invoked only from calls made here, that is, in the same jobs; libdbus
/// starts no threads, and no `DBusMessage` is ever passed to another thread that could unref it.
final class Link: @unchecked Sendable {
  let loop: EventLoop
  let limits: MessageLimits
  /// The connection; nil when it is closed.
  private(set) var connection: OpaquePointer?
  var watches: [UInt: UInt64] = [:]
  var timeouts: [UInt: ScheduledTimer] = [:]
  private var received: [ReceivedMessage] = []
  private(set) var dispatchQueued = false
  var isPaused = false
  var outbox = Outbox()
  /// The loop's watch for the socket while it accepts nothing.
  var writeWatch: UInt64?
  var isWriteQueued = false
  private var lastSerial = Link.firstSerial
  /// Receives every message, after libdbus's dispatch has returned.
  private var receive: @Sendable (ReceivedMessage) -> Void = { _ in }
  /// Called when some of the queued bytes have been written.
  var written: @Sendable () -> Void = {}

  /// A message that was handed to libdbus.
  struct Sent {
    let serial: UInt32
    let bytes: Int
  }

  init(_ opened: LinkOpener.Opened, loop: EventLoop, limits: MessageLimits) {
    self.loop = loop
    self.limits = limits
    connection = OpaquePointer(bitPattern: opened.connection)
  }

  /// Attaches the connection to the loop. Called once, as the first serial job. Returns false if memory is short.
  func start(receive: @escaping @Sendable (ReceivedMessage) -> Void, written: @escaping @Sendable () -> Void) -> Bool {
    assert(loop.isInSerialJob)
    guard let connection else { return false }
    self.receive = receive
    self.written = written
    let context = Unmanaged.passUnretained(self).toOpaque()
    dbus_connection_set_dispatch_status_function(
      connection,
      { _, status, context in
        if status == DBUS_DISPATCH_DATA_REMAINS { Link.from(context)?.queueDispatch() }
      }, context, nil)
    // Otherwise libdbus would answer Ping itself, even for callers that requested no reply.
    dbus_connection_set_route_peer_messages(connection, 1)
    let accepted = dbus_connection_add_filter(
      connection,
      { _, message, context in Link.from(context)?.filter(message) ?? DBUS_HANDLER_RESULT_NOT_YET_HANDLED }, context, nil)
    guard accepted != 0, startWatches(connection, context), startTimeouts(connection, context) else { return false }
    // Opening waited for the reply to Hello: what arrived after it is already queued, and no descriptor will become
    // readable for it.
    if dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS { queueDispatch() }
    return true
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> Link? {
    context.map { Unmanaged<Link>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Closes the connection. Queued bytes that the socket does not accept now are lost; ``isDrained`` tells whether there
  /// are any.
  func close() {
    assert(loop.isInSerialJob)
    guard let connection else { return }
    if !isBlocked { write() }
    stopWaitingToWrite()
    outbox = Outbox()
    self.connection = nil
    // These call the remove functions of all watches and timeouts. Afterwards libdbus has no reference to the link.
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
    // The filter is released with the connection, to which nothing else refers.
    (receive, written) = ({ _ in }, {})
  }

  /// Queues a checked message. Method calls are written immediately, if the socket accepts them; other messages are written
  /// when the loop is otherwise idle, or when enough bytes are queued.
  ///
  /// - Returns: its serial number and size; nil if the connection is closed.
  func send(_ outgoing: OutgoingMessage) -> Sent? {
    assert(loop.isInSerialJob)
    guard isConnected else { return nil }
    let serial = nextSerial()
    let bytes = outbox.append(outgoing, serial: serial)
    if case .methodCall = outgoing.kind { write() } else { writeSoon() }
    return Sent(serial: serial, bytes: bytes)
  }

  /// Queues an answer made earlier as the reply to one call.
  ///
  /// - Returns: the same as ``send(_:)``.
  func send(_ answer: MadeAnswer, to sender: String, replyTo call: UInt32) -> Sent? {
    assert(loop.isInSerialJob)
    guard isConnected else { return nil }
    let serial = nextSerial()
    let bytes = outbox.append(answer, to: sender, replyTo: call, serial: serial)
    writeSoon()
    return Sent(serial: serial, bytes: bytes)
  }

  /// libdbus counts its own messages, of which Hello is the only one, from 1.
  private func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? Self.firstSerial : lastSerial + 1
    return lastSerial
  }

  private static let firstSerial: UInt32 = 1 << 16

  /// Whether the connection is usable, as far as libdbus knows.
  var isConnected: Bool { connection.map { dbus_connection_get_is_connected($0) != 0 } ?? false }

  /// The number of bytes that wait to be written.
  var outgoingSize: Int { outbox.count }

  /// Whether the socket has not accepted all queued bytes.
  var isBlocked: Bool { writeWatch != nil }

  var isDrained: Bool { outbox.count == 0 }

  func queueDispatch() {
    guard !dispatchQueued else { return }
    dispatchQueued = true
    loop.post { [self] in dispatch() }
  }

  /// Dispatches one message. If there are more, queues another job, so that other jobs get their turn.
  private func dispatch() {
    dispatchQueued = false
    guard let connection else { return }
    // Signals and replies are never dropped, so while they pile up no further calls are accepted: the bus or their
    // senders keep them.
    guard outgoingSize <= limits.outgoingQueue || !isConnected else {
      isPaused = true
      return
    }
    dbus_connection_ref(connection)
    let status = dbus_connection_dispatch(connection)
    dbus_connection_unref(connection)
    switch status {
    case DBUS_DISPATCH_DATA_REMAINS: queueDispatch()
    case DBUS_DISPATCH_NEED_MEMORY: loop.schedule(after: .milliseconds(50)) { [self] in queueDispatch() }
    default: break
    }
    // libdbus's dispatch has ended: the receiver may send, close the connection, or take time.
    while !received.isEmpty { receive(received.removeFirst()) }
  }

  /// Called during the dispatch; only copies the message. If memory was short, libdbus may call it again for the same
  /// message, but only before it has returned that it handled the message.
  private func filter(_ message: OpaquePointer?) -> DBusHandlerResult {
    guard let message, let copy = ReceivedMessage(message, limits: limits) else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    received.append(copy)
    return DBUS_HANDLER_RESULT_HANDLED
  }
}

/// Connects and says Hello on a separate thread, because both block until the bus answers, while the loop may have other
/// clients to serve.
enum LinkOpener {
  /// A connection on its way to the loop, to which nothing else refers.
  struct Opened: Sendable {
    /// The `DBusConnection`, as a number because its ownership moves between threads.
    let connection: UInt
    let uniqueName: String
  }

  static func open(_ bus: BusAddress) async throws(ConnectionError) -> Opened {
    guard let address = bus.resolved else {
      throw .cannotConnect(address: bus.description, reason: "no address is given")
    }
    guard !address.holdsNUL else { throw .cannotConnect(address: address, reason: "the address contains the character U+0000") }
    let result = await withCheckedContinuation { continuation in
      let started = Thread.start(name: "dbus-open") { continuation.resume(returning: connect(to: address)) }
      if !started {
        continuation.resume(
          returning: .failure(.cannotConnect(address: address, reason: "cannot create a thread for the connection")))
      }
    }
    return try result.get()
  }

  private static func connect(to address: String) -> Result<Opened, ConnectionError> {
    dbus_threads_init_default()
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    func failure() -> Result<Opened, ConnectionError> {
      let reason = error.message.map { String(cString: $0) } ?? "out of memory"
      return .failure(.cannotConnect(address: address, reason: reason))
    }
    // Private: a shared connection belongs to libdbus and must not be closed.
    guard let connection = dbus_connection_open_private(address, &error) else { return failure() }
    // Must come first: without it, losing the bus would end the process.
    dbus_connection_set_exit_on_disconnect(connection, 0)
    guard dbus_bus_register(connection, &error) != 0, let name = dbus_bus_get_unique_name(connection) else {
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
      return failure()
    }
    return .success(Opened(connection: UInt(bitPattern: connection), uniqueName: String(cString: name)))
  }
}

/// libdbus's timeouts. They repeat until they are removed, and their interval is read again whenever they are enabled.
///
/// The connection implements the deadlines of calls itself, so that libdbus needs no timeouts for them. Timeouts are
/// served because libdbus may need one internally.
extension Link {
  func startTimeouts(_ connection: OpaquePointer, _ context: UnsafeMutableRawPointer) -> Bool {
    dbus_connection_set_timeout_functions(
      connection,
      { timeout, context in
        guard let timeout, let link = Link.from(context) else { return 0 }
        link.update(timeout)
        return 1
      },
      { timeout, context in
        guard let timeout else { return }
        Link.from(context)?.timeouts.removeValue(forKey: UInt(bitPattern: timeout))?.cancel()
      },
      { timeout, context in
        guard let timeout else { return }
        Link.from(context)?.update(timeout)
      }, context, nil) != 0
  }

  fileprivate func update(_ timeout: OpaquePointer) {
    let id = UInt(bitPattern: timeout)
    timeouts.removeValue(forKey: id)?.cancel()
    guard dbus_timeout_get_enabled(timeout) != 0 else { return }
    // At least a millisecond: an interval of 0 must not starve everything else on the loop.
    let interval = Duration.milliseconds(max(1, Int64(dbus_timeout_get_interval(timeout))))
    timeouts[id] = loop.schedule(after: interval) { [self] in fire(id) }
  }

  private func fire(_ id: UInt) {
    // A cancelled timer does not fire, so the timeout still exists.
    guard let connection, timeouts[id] != nil, let timeout = OpaquePointer(bitPattern: id) else { return }
    dbus_connection_ref(connection)
    _ = dbus_timeout_handle(timeout)
    dbus_connection_unref(connection)
    if timeouts[id] != nil, self.connection != nil { update(timeout) }
  }
}
