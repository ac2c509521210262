import CDBus
import DequeModule
import Glibc

/// The messages that wait to be written, in order.
///
/// Messages are appended to each other, so that a transition's signals and its reply leave with one system call, and the
/// bus is woken once. The bytes are overwritten when they have been written, since messages may contain secrets.
struct Outbox: ~Copyable {
  /// The result of an attempt to write.
  enum Attempt: Sendable, Hashable {
    /// The queue is empty.
    case wroteAll
    /// The socket currently accepts no more bytes.
    case blocked
    /// The connection is broken.
    case failed
  }

  /// The bodies of large answers and the messages before them. All of them precede ``small``.
  private var large: Deque<[UInt8]> = []
  private var small = WireBuffer()
  /// The number of written bytes of the first part of the queue.
  private var written = 0
  /// The number of bytes that wait.
  private(set) var count = 0

  /// The size in bytes from which a body is sent from its own buffer instead of being copied.
  private static let largeBody = 1 << 16

  /// Appends a checked message, and returns its size in bytes.
  mutating func append(_ message: borrowing OutgoingMessage, serial: UInt32) -> Int {
    let before = small.count
    small.append(message, serial: serial)
    let size = small.count - before
    count += size
    return size
  }

  /// Appends an answer that was made earlier, as the reply to one call, and returns its size in bytes.
  mutating func append(_ answer: MadeAnswer, to sender: String, replyTo call: UInt32, serial: UInt32) -> Int {
    let before = small.count
    let header = OutgoingMessage.reply([], to: call, of: sender)
    small.appendHeader(of: header, serial: serial, before: .init(signature: answer.signature, count: answer.body.count))
    if answer.body.count < Self.largeBody { answer.body.withUnsafeBytes { small.append($0) } }
    var size = small.count - before
    if answer.body.count >= Self.largeBody {
      closeSmall()
      large.append(answer.body)
      size += answer.body.count
    }
    count += size
    return size
  }

  /// Moves the small messages before the large ones that follow.
  private mutating func closeSmall() {
    if large.isEmpty, written > 0 {
      small.removeFirst(written)
      written = 0
    }
    if small.count > 0 { large.append(Array(small.bytes)) }
    small.clear()
  }

  /// Writes as many bytes as the socket accepts.
  mutating func write(to socket: Int32) -> Attempt {
    while count > 0 {
      let sent =
        large.first?.withUnsafeBytes { Self.send($0, after: written, to: socket) }
        ?? Self.send(small.bytes, after: written, to: socket)
      guard sent > 0 else {
        if sent < 0, errno == EINTR { continue }
        makeRoom()
        return sent == 0 || errno == EAGAIN || errno == EWOULDBLOCK ? .blocked : .failed
      }
      written += sent
      count -= sent
      if let first = large.first?.count {
        guard written == first else { continue }
        large.removeFirst()
        written = 0
      }
    }
    small.clear()
    written = 0
    return .wroteAll
  }

  /// Removes the written bytes of the small messages, if they are the larger part.
  private mutating func makeRoom() {
    guard large.isEmpty, written > 1 << 15, written > small.count / 2 else { return }
    small.removeFirst(written)
    written = 0
  }

  private static func send(_ bytes: UnsafeRawBufferPointer, after written: Int, to socket: Int32) -> Int {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
    return Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }
}

/// Writes the queued messages.
///
/// libdbus's own queue is empty: Hello was answered before the link exists, Peer is not answered by libdbus, and the filter
/// handles all calls. If libdbus nevertheless has bytes to write, they are written first.
extension Link {
  /// The number of bytes from which queued messages are written although the loop is busy.
  private static var batch: Int { 1 << 15 }

  /// Writes the queued messages before the loop waits, or immediately if there are many bytes.
  ///
  /// If no other call waits, the first message is written immediately: the bus wakes up and passes it on while the rest of the
  /// transition is being encoded.
  func writeSoon() {
    guard !isBlocked else { return }
    guard outbox.count < Self.batch else { return write() }
    guard !isWriteQueued else { return }
    isWriteQueued = true
    if !dispatchQueued { write() }
    loop.core.runBeforePolling { [self] in
      isWriteQueued = false
      if !isBlocked { write() }
      didWrite()
    }
  }

  /// Writes the queued messages, as far as the socket accepts them. The rest follows when it accepts more.
  func write() {
    guard let connection, isConnected else { return dropOutgoing() }
    guard !isBlocked, dbus_connection_has_messages_to_send(connection) == 0 else { return }
    attempt()
  }

  private func attempt() {
    var socket: Int32 = -1
    guard let connection, dbus_connection_get_socket(connection, &socket) != 0 else { return dropOutgoing() }
    switch outbox.write(to: socket) {
    case .wroteAll: stopWaitingToWrite()
    case .blocked: waitToWrite(socket)
    case .failed:
      dropOutgoing()
      // Reading then finds the end of the connection, which libdbus reports.
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  private func waitToWrite(_ socket: Int32) {
    guard writeWatch == nil else { return }
    writeWatch = loop.core.addWatch(descriptor: socket, events: Int16(POLLOUT)) { [weak self] _ in self?.canWrite() }
  }

  /// Called while the socket accepts bytes, or is broken. If libdbus has lost the connection, it has closed the socket.
  private func canWrite() {
    assert(loop.isInSerialJob)
    guard writeWatch != nil else { return }
    if isConnected { attempt() } else { dropOutgoing() }
    didWrite()
  }

  func stopWaitingToWrite() {
    guard let watch = writeWatch.take() else { return }
    loop.core.removeWatch(watch)
  }

  private func dropOutgoing() {
    stopWaitingToWrite()
    outbox = Outbox()
  }

  /// Called after bytes have been written.
  func didWrite() {
    if isPaused, outgoingSize <= limits.outgoingQueue / 2 {
      isPaused = false
      queueDispatch()
    }
    written()
  }
}
