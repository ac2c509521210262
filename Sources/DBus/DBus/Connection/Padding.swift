extension Connection {
  /// Makes libdbus release the bytes of received messages that it still holds. Call it after a message that contained a secret;
  /// the connection calls it itself after calls with arguments that reach no object.
  ///
  /// libdbus reads all messages into one buffer, where the bytes of past messages remain until later ones overwrite them. It
  /// releases a buffer once 2 KiB of it are unused (`_dbus_string_compact` in dbus-message.c), so the connection sends itself a
  /// larger message, to which no object subscribes. The released memory keeps its contents unless the allocator overwrites it.
  ///
  /// At most one such message is in flight, however often this is called.
  ///
  /// - Throws: ``DBusError`` if the message cannot be sent.
  public func forgetReceivedBytes() throws(DBusError) { try padding.request(on: self) }
}

/// Makes the connection send itself messages that make libdbus release its buffer. Used only on the connection's executor.
final class PaddingSender {
  private var padding = Padding()

  /// Requests a message, and sends it unless one is under way.
  func request(on connection: isolated Connection) throws(DBusError) {
    if padding.ask() { try send(on: connection) }
  }

  /// Returns whether a received signal is the connection's own padding.
  func receive(_ message: ReceivedMessage, on connection: isolated Connection) -> Bool {
    guard message.sender == connection.uniqueName, message.interface == Padding.interface, message.member == Padding.member
    else { return false }
    // If it cannot be sent, the next request sends it.
    if padding.arrive() { try? send(on: connection) }
    return true
  }

  private func send(on connection: isolated Connection) throws(DBusError) {
    do throws(DBusError) {
      try connection.emit(
        Signal(path: .root, interface: Padding.interface, member: Padding.member, body: [Self.spaces]), to: connection.uniqueName)
    } catch {
      padding.fail()
      throw error
    }
  }

  private static let spaces = Value.string(String(repeating: " ", count: 8192))
}

/// Schedules the messages that the connection sends to itself to make libdbus release its buffer: one at a time, the
/// last one sent after the last request.
struct Padding {
  static let interface = "org.coordinatord.DBus"
  static let member = "Padding"

  private enum State {
    case idle
    case underWay(isDueAgain: Bool)
  }
  private var state = State.idle

  /// Requests a message. Returns whether to send it now.
  mutating func ask() -> Bool {
    if case .underWay = state {
      state = .underWay(isDueAgain: true)
      return false
    }
    state = .underWay(isDueAgain: false)
    return true
  }

  /// Records that the message could not be sent.
  mutating func fail() { state = .idle }

  /// Records that the message has come back. Returns whether to send another one now.
  mutating func arrive() -> Bool {
    guard case .underWay(let isDueAgain) = state else { return false }
    state = isDueAgain ? .underWay(isDueAgain: false) : .idle
    return isDueAgain
  }
}
