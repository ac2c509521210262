import CoordinatorBus
import DBus
import Logging

/// Sends messages that announce changes on the bus. Messages that cannot be sent are logged, because no caller waits for them.
///
/// Used only on the connection's executor.
struct BusSender: Sendable {
  let connection: Connection
  let logger: Logger

  /// Sends messages in order to the clients that may receive them.
  func send(_ messages: [BusMessage], to hearers: Hearers = .everyone) {
    if hearers == .everyone { return messages.forEach { send($0) } }
    for message in messages.lazy.map(\.encoded) {
      for hearer in hearers.destinations(of: message) { send(message, to: hearer) }
    }
  }

  /// Sends messages in order, and stops at the first one that cannot be sent.
  func sendUntilOneFails(_ messages: [BusMessage], to hearers: Hearers = .everyone) {
    if hearers == .everyone {
      for message in messages { guard send(message) else { return } }
      return
    }
    for message in messages.lazy.map(\.encoded) {
      for hearer in hearers.destinations(of: message) { guard send(message, to: hearer) else { return } }
    }
  }

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - destination: the unique name of the only client to send it to; nil to broadcast it.
  /// - Returns: whether it was sent.
  @discardableResult
  func send(_ message: BusMessage, to destination: String? = nil) -> Bool {
    switch message {
    case .presented: send(message.encoded, to: destination)
    case .signal(let path, let interface, let member, let body):
      attempt("send \(member) of \(path)") { connection throws(DBusError) in
        try connection.emit(Signal(path: path, interface: interface, member: member, body: body), to: destination)
      }
    case .added(let path):
      attempt("send InterfacesAdded of \(path)") { connection throws(DBusError) in
        try connection.interfacesAdded(path, manager: Contract.rootPath, to: destination)
      }
    case .removed(let path, let interface):
      attempt("send InterfacesRemoved of \(path)") { connection throws(DBusError) in
        try connection.interfacesRemoved(path, interfaces: [interface], manager: Contract.rootPath, to: destination)
      }
    case .changed(let name, let interface, let path):
      connection.assumeIsolated { connection in
        if let destination {
          connection.tell(destination, ofChanged: name, at: path, interface: interface)
        } else {
          connection.propertiesChanged(at: path, interface: interface, names: [name])
        }
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

/// The clients that may receive the signals of a flow tree.
enum Hearers: Sendable, Hashable {
  /// All clients that the bus allows to listen: the signals are broadcast.
  case everyone
  /// Only the clients with these unique names.
  case only([String])

  /// Returns the destinations of a message; nil stands for a broadcast. Messages about the daemon instead of a tree, such as
  /// the number of flows, are broadcast.
  func destinations(of message: BusMessage) -> [String?] {
    switch (self, message) {
    case (.everyone, _), (_, .changed(_, interface: Contract.managerInterface, _)): [nil]
    case (.only(let names), _): names
    }
  }
}
