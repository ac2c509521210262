import CDBus
import DBus

/// The C library's verdict on names and messages, to compare with, because the library aborts the process or disconnects on
/// invalid ones.
enum LibDBus {
  static func isInterface(_ name: String) -> Bool { dbus_validate_interface(name, nil) != 0 }
  static func isErrorName(_ name: String) -> Bool { dbus_validate_error_name(name, nil) != 0 }
  static func isMember(_ name: String) -> Bool { dbus_validate_member(name, nil) != 0 }
  static func isBusName(_ name: String) -> Bool { dbus_validate_bus_name(name, nil) != 0 }
  static func isPath(_ path: String) -> Bool { dbus_validate_path(path, nil) != 0 }
  static func isSignature(_ signature: String) -> Bool { dbus_signature_validate(signature, nil) != 0 }

  /// Returns the length of the body of a signal with the arguments `values`, marshalled by libdbus; nil if libdbus
  /// would not accept the message from another client.
  static func bodyLength(_ values: [Value]) -> Int? {
    guard let message = dbus_message_new_signal("/", "a.b", "c") else { return nil }
    defer { dbus_message_unref(message) }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for value in values { append(value, to: &iterator) }
    dbus_message_set_serial(message, 1)
    var bytes: UnsafeMutablePointer<CChar>?
    var length: Int32 = 0
    guard dbus_message_marshal(message, &bytes, &length) != 0, let bytes else { return nil }
    defer { dbus_free(bytes) }
    guard let received = dbus_message_demarshal(bytes, length, nil) else { return nil }
    dbus_message_unref(received)
    // The length of the body is the second number of the header.
    return Int(UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: 4, as: UInt32.self))
  }

  private static func append(_ value: Value, to iterator: inout DBusMessageIter) {
    switch value {
    case .byte(let number): append(number, as: "y", to: &iterator)
    case .boolean(let bool): append(dbus_bool_t(bool ? 1 : 0), as: "b", to: &iterator)
    case .int16(let number): append(number, as: "n", to: &iterator)
    case .uint16(let number): append(number, as: "q", to: &iterator)
    case .int32(let number): append(number, as: "i", to: &iterator)
    case .uint32(let number): append(number, as: "u", to: &iterator)
    case .int64(let number): append(number, as: "x", to: &iterator)
    case .uint64(let number): append(number, as: "t", to: &iterator)
    case .double(let number): append(number, as: "d", to: &iterator)
    case .string(let string): string.withCString { append($0, as: "s", to: &iterator) }
    case .objectPath(let path): path.string.withCString { append($0, as: "o", to: &iterator) }
    case .signature(let signature): signature.string.withCString { append($0, as: "g", to: &iterator) }
    case .array(let type, let elements):
      container("a", contents: type.description, in: &iterator) { array in
        for element in elements { append(element, to: &array) }
      }
    case .dictionary(let key, let value, let entries):
      container("a", contents: "{\(key)\(value)}", in: &iterator) { array in
        for entry in entries {
          container("e", contents: nil, in: &array) {
            append(entry.key, to: &$0)
            append(entry.value, to: &$0)
          }
        }
      }
    case .structure(let members):
      container("r", contents: nil, in: &iterator) { structure in
        for member in members { append(member, to: &structure) }
      }
    case .variant(let content):
      container("v", contents: content.type.description, in: &iterator) { append(content, to: &$0) }
    }
  }

  private static func append<T>(_ value: T, as code: Unicode.Scalar, to iterator: inout DBusMessageIter) {
    withUnsafePointer(to: value) { _ = dbus_message_iter_append_basic(&iterator, Int32(code.value), $0) }
  }

  private static func container(
    _ code: Unicode.Scalar, contents: String?, in iterator: inout DBusMessageIter, _ fill: (inout DBusMessageIter) -> Void
  ) {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, Int32(code.value), contents, &inner) != 0 else { return }
    fill(&inner)
    dbus_message_iter_close_container(&iterator, &inner)
  }
}
