import CDBus

/// Creates a `DBusMessage` from a checked ``OutgoingMessage``.
enum MessageWriter {
  /// Creates the message, without a serial number, and returns it with its size in bytes; nil if memory is short. The
  /// caller must unref the message.
  static func make(_ outgoing: OutgoingMessage, size: Int) -> (OpaquePointer, bytes: Int)? {
    let bytes = Marshaller(outgoing, size: size).bytes
    let message = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { dbus_message_demarshal($0.baseAddress, Int32(clamping: $0.count), nil) }
    }
    guard let message else { return nil }
    // The connection assigns its own when it sends the message.
    dbus_message_set_serial(message, 0)
    return (message, bytes.count)
  }
}
