extension Connection {
  /// Makes libdbus give up what it still holds of messages that were received: for use after one that held a secret. The
  /// connection does so by itself after calls with arguments that reach no object.
  ///
  /// All messages are read into one buffer, in which the bytes of the last ones stay until later ones happen to lie over them. libdbus
  /// gives a buffer back once 2 KiB of it are unused (`_dbus_string_compact` in dbus-message.c), so a message to ourselves of more than
  /// that, which nobody listens to, makes it do so. The freed memory is as it was, unless the allocator overwrites it.
  ///
  /// One such message is under way at most, whatever the number of calls.
  ///
  /// - Throws: ``DBusError`` if the message cannot be sent.
  public func forgetReceivedBytes() throws(DBusError) {
    if padding.ask() { try sendPadding() }
  }

  /// Whether a signal was our own padding.
  func receivePadding(_ message: ReceivedMessage) -> Bool {
    guard message.sender == uniqueName, message.interface == Padding.interface, message.member == Padding.member else {
      return false
    }
    // If it cannot be sent, the next wish sends it.
    if padding.arrive() { try? sendPadding() }
    return true
  }

  private func sendPadding() throws(DBusError) {
    do throws(DBusError) {
      try emit(Signal(path: .root, interface: Padding.interface, member: Padding.member, body: [Self.spaces]), to: uniqueName)
    } catch {
      padding.fail()
      throw error
    }
  }

  private static let spaces = Value.string(String(repeating: " ", count: 8192))
}

/// Messages to ourselves that make libdbus give its buffer back: one after the other, and the last one sent after the last wish.
struct Padding {
  static let interface = "org.coordinatord.DBus"
  static let member = "Padding"

  private enum State {
    case idle
    case underWay(isDueAgain: Bool)
  }
  private var state = State.idle

  /// Somebody wishes for one. True if it is to be sent now.
  mutating func ask() -> Bool {
    if case .underWay = state {
      state = .underWay(isDueAgain: true)
      return false
    }
    state = .underWay(isDueAgain: false)
    return true
  }

  /// It could not be sent.
  mutating func fail() { state = .idle }

  /// It has come back. True if another one is to be sent now.
  mutating func arrive() -> Bool {
    guard case .underWay(let isDueAgain) = state else { return false }
    state = isDueAgain ? .underWay(isDueAgain: false) : .idle
    return isDueAgain
  }
}
