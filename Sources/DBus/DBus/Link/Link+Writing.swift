import CDBus
import Glibc

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
