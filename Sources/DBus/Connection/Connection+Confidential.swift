extension Connection {
  /// Makes libdbus give up what it still holds of messages that were received: for use after one that held a secret.
  ///
  /// All messages are read into one buffer, in which the bytes of the last ones stay until later ones happen to lie over them. libdbus
  /// gives a buffer back once 2 KiB of it are unused (`_dbus_string_compact` in dbus-message.c), so a message to ourselves of more than
  /// that, which nobody listens to, makes it do so. The freed memory is as it was, unless the allocator overwrites it.
  ///
  /// - Throws: ``DBusError`` if the message cannot be sent.
  public func forgetReceivedBytes() throws(DBusError) {
    try emit(Signal(path: .root, interface: "org.coordinatord.DBus", member: "Padding", body: [Self.padding]), to: uniqueName)
  }

  private static let padding = Value.string(String(repeating: " ", count: 8192))
}
