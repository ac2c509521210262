import CDBus

/// Turns a checked ``OutgoingMessage`` into a `DBusMessage`.
enum MessageWriter {
  /// Makes the message, without a serial number, and tells how many bytes it has; nil when out of memory. The caller has to unref it.
  static func make(_ outgoing: OutgoingMessage, size: Int) -> (OpaquePointer, bytes: Int)? {
    let bytes = Marshaller(outgoing, size: size).bytes
    let message = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { dbus_message_demarshal($0.baseAddress, Int32(clamping: $0.count), nil) }
    }
    guard let message else { return nil }
    // The connection gives it its own.
    dbus_message_set_serial(message, 0)
    return (message, bytes.count)
  }
}
