import CDBus

@testable import DBus

/// Bytes from the socket: libdbus checks and demarshals them, and what it takes becomes values, which are measured and written again.
enum MessageTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let start = bytes.baseAddress, bytes.count < 1 << 20 else { return -1 }
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    let message = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      dbus_message_demarshal($0, Int32(bytes.count), &error)
    }
    guard let message else { return 0 }
    defer { dbus_message_unref(message) }
    guard let received = ReceivedMessage(message, limits: .default), case .success(let values) = received.body else { return 0 }
    // What was read is what was sent: the same types, and a message that can be sent again.
    precondition(
      (try? Signature(of: values).string) == received.signature, "the signature of \(values) is not \(received.signature)")
    let again = OutgoingMessage(kind: .methodReturn(to: 1), destination: ":1.1", body: values)
    do throws(DBus.DBusError) {
      try again.check(.default)
    } catch {
      return 0
    }
    var buffer = WireBuffer()
    buffer.append(again, serial: 1)
    let copy = buffer.bytes.withMemoryRebound(to: CChar.self) { dbus_message_demarshal($0.baseAddress, Int32($0.count), nil) }
    guard let copy else { preconditionFailure("libdbus does not take what was written of \(values)") }
    defer { dbus_message_unref(copy) }
    var reader = MessageReader(limits: .default)
    let read = try? reader.read(copy, signature: received.signature)
    // Not a number is never equal to itself.
    precondition(read.map { "\($0)" } == "\(values)", "\(values) became \(read ?? [])")
    return 0
  }
}
