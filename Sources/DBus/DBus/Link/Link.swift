import CDBus
import Glibc

/// The one owner of a `DBusConnection`. Everything that calls libdbus is in this folder.
///
/// libdbus's callbacks only record: they may run with its lock held, or inside a dispatch. What they record is acted upon in
/// a job of the loop.
///
/// `@unchecked Sendable`, because jobs and watches of the loop have to hold it: its mutable state is touched in serial jobs of
/// `loop` alone (asserted at every entry), which never run at the same time, and `LinkOpener`'s thread is done with the
/// connection before the link exists. The callbacks come only from calls made here, so they are in the same jobs; libdbus has
/// no threads of its own, and no `DBusMessage` is ever given to another thread that could unref it.
final class Link: @unchecked Sendable {
  let loop: EventLoop
  let limits: MessageLimits
  /// Nil when closed.
  private(set) var connection: OpaquePointer?
  var watches: [UInt: UInt64] = [:]
  var timeouts: [UInt: ScheduledTimer] = [:]
  private var received: [ReceivedMessage] = []
  private var dispatchQueued = false
  private var isPaused = false
  /// Told of every message, after libdbus's dispatch has returned.
  private var receive: @Sendable (ReceivedMessage) -> Void = { _ in }
  /// Told when some of what was queued was written.
  private var written: @Sendable () -> Void = {}

  /// A message that was handed over.
  struct Sent {
    let serial: UInt32
    let bytes: Int
  }

  init(_ opened: LinkOpener.Opened, loop: EventLoop, limits: MessageLimits) {
    self.loop = loop
    self.limits = limits
    connection = OpaquePointer(bitPattern: opened.connection)
  }

  /// Takes the connection to the loop. Called once, as the first serial job.
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
    // Otherwise libdbus would answer Ping even to who wants no reply.
    dbus_connection_set_route_peer_messages(connection, 1)
    let accepted = dbus_connection_add_filter(
      connection,
      { _, message, context in Link.from(context)?.filter(message) ?? DBUS_HANDLER_RESULT_NOT_YET_HANDLED }, context, nil)
    guard accepted != 0, startWatches(connection, context), startTimeouts(connection, context) else { return false }
    // Hello was waited for: what came behind it is in the queue already, and no descriptor will become readable for it.
    if dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS { queueDispatch() }
    return true
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> Link? {
    context.map { Unmanaged<Link>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Closes the connection. What is queued and not written is lost; ``isDrained`` tells whether there is something.
  func close() {
    assert(loop.isInSerialJob)
    guard let connection else { return }
    self.connection = nil
    // These call the remove functions of all watches and timeouts; after them libdbus knows nothing of the link.
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
    // The filter goes with the connection, which nobody else refers to.
    (receive, written) = ({ _ in }, {})
  }

  /// Queues a checked message of a size in bytes, and writes it at once if the socket takes it.
  ///
  /// - Returns: Its serial number and its bytes; nil when the connection is closed or memory is short.
  func send(_ outgoing: OutgoingMessage, size: Int) -> Sent? {
    assert(loop.isInSerialJob)
    // libdbus would take a message for a lost connection, and keep it.
    guard isConnected, let (message, bytes) = MessageWriter.make(outgoing, size: size) else { return nil }
    defer { dbus_message_unref(message) }
    return send(message, bytes: bytes)
  }

  /// Queues an answer that was made before, to one call.
  ///
  /// - Returns: As ``send(_:size:)`` does.
  func send(_ answer: MadeAnswer, to sender: String, serial: UInt32) -> Sent? {
    assert(loop.isInSerialJob)
    guard isConnected, let message = answer.copy(to: sender, serial: serial) else { return nil }
    defer { dbus_message_unref(message) }
    return send(message, bytes: answer.size)
  }

  private func send(_ message: OpaquePointer, bytes: Int) -> Sent? {
    var serial: dbus_uint32_t = 0
    guard let connection, dbus_connection_send(connection, message, &serial) != 0 else { return nil }
    return Sent(serial: serial, bytes: bytes)
  }

  /// Whether the connection is usable, as far as is known.
  var isConnected: Bool { connection.map { dbus_connection_get_is_connected($0) != 0 } ?? false }

  /// Bytes that wait to be written: the one gauge that libdbus has of its queue, which has no bound of its own.
  var outgoingSize: Int { connection.map { dbus_connection_get_outgoing_size($0) } ?? 0 }

  var isDrained: Bool { connection.map { dbus_connection_has_messages_to_send($0) == 0 } ?? true }

  /// Called after libdbus wrote something.
  func didWrite() {
    if isPaused, outgoingSize <= limits.outgoingQueue / 2 {
      isPaused = false
      queueDispatch()
    }
    written()
  }

  private func queueDispatch() {
    guard !dispatchQueued else { return }
    dispatchQueued = true
    loop.post { [self] in dispatch() }
  }

  /// Handles one message, and goes to the end of the queue if there are more, so that other jobs have their turn.
  private func dispatch() {
    dispatchQueued = false
    guard let connection else { return }
    // Neither signals nor replies are dropped, so while they pile up no more calls are taken: the bus keeps them, or their senders.
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
    // Outside libdbus now: whoever receives a message may send, close, or take its time.
    while !received.isEmpty { receive(received.removeFirst()) }
  }

  /// Runs inside the dispatch: copies the message, nothing else. libdbus may call it again for the same message when it lacked
  /// memory, but only before it said that it handled the message.
  private func filter(_ message: OpaquePointer?) -> DBusHandlerResult {
    guard let message, let copy = ReceivedMessage(message, limits: limits) else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    received.append(copy)
    return DBUS_HANDLER_RESULT_HANDLED
  }
}
