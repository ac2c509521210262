import CoordinatorBus
import DBus
import Logging

/// Sends messages that tell the bus of changes. What cannot be sent is logged, since no caller waits for it.
///
/// Used on the executor of the connection only.
struct BusSender: Sendable {
  let connection: Connection
  let logger: Logger

  /// Sends messages in order.
  func send(_ messages: [BusMessage]) { for message in messages { send(message) } }

  /// Sends messages in order, and stops at the first one that cannot be sent.
  func sendUntilOneFails(_ messages: [BusMessage]) {
    for message in messages { guard send(message) else { return } }
  }

  /// Sends a message.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  func send(_ message: BusMessage) -> Bool {
    switch message {
    case .signal(let path, let interface, let member, let body):
      attempt("send \(member) of \(path)") { connection throws(DBusError) in
        try connection.emit(Signal(path: path, interface: interface, member: member, body: body))
      }
    case .added(let path):
      attempt("send InterfacesAdded of \(path)") { connection throws(DBusError) in
        try connection.interfacesAdded(path, manager: Contract.rootPath)
      }
    case .removed(let path, let interface):
      attempt("send InterfacesRemoved of \(path)") { connection throws(DBusError) in
        try connection.interfacesRemoved(path, interfaces: [interface], manager: Contract.rootPath)
      }
    case .changed(let name, let interface, let path):
      connection.assumeIsolated {
        $0.propertiesChanged(at: path, interface: interface, names: [name])
        return true
      }
    }
  }

  /// Overwrites the bytes of received messages, which may have contained a secret.
  func forgetReceivedBytes() {
    attempt("overwrite received bytes") { connection throws(DBusError) in try connection.forgetReceivedBytes() }
  }

  @discardableResult
  private func attempt(
    _ what: @autoclosure () -> String, _ body: @Sendable (isolated Connection) throws(DBusError) -> Void
  ) -> Bool {
    let error: DBusError? = connection.assumeIsolated { connection in
      do throws(DBusError) {
        try body(connection)
        return nil
      } catch {
        return error
      }
    }
    // A lost bus is reported once, by the end of the daemon.
    guard let error else { return true }
    if error.name != DBusError.disconnected("").name {
      logger.warning("cannot \(what())", metadata: ["error": "\(error.name): \(error.message)"])
    }
    return false
  }
}
