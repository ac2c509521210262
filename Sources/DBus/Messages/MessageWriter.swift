import CDBus

/// Turns a checked ``OutgoingMessage`` into a `DBusMessage`.
///
/// libdbus ends the process when it is handed a bad name or text, so only what `OutgoingMessage.check(_:)` let through may come
/// here. Each function answers false when libdbus has no memory left, its one other way to fail.
enum MessageWriter {
  /// Makes the message; nil when out of memory. The caller has to unref it.
  static func make(_ outgoing: OutgoingMessage) -> OpaquePointer? {
    guard let message = dbus_message_new(outgoing.type) else { return nil }
    guard writeHeader(of: outgoing, to: message), writeBody(outgoing.body, to: message) else {
      dbus_message_unref(message)
      return nil
    }
    return message
  }

  private static func writeHeader(of outgoing: OutgoingMessage, to message: OpaquePointer) -> Bool {
    switch outgoing.kind {
    case .methodCall(let expectsReply, let autoStart):
      dbus_message_set_no_reply(message, expectsReply ? 0 : 1)
      dbus_message_set_auto_start(message, autoStart ? 1 : 0)
    case .methodReturn(let serial):
      dbus_message_set_no_reply(message, 1)
      guard dbus_message_set_reply_serial(message, serial) != 0 else { return false }
    case .error(let serial, let name):
      dbus_message_set_no_reply(message, 1)
      guard dbus_message_set_reply_serial(message, serial) != 0 else { return false }
      guard dbus_message_set_error_name(message, name) != 0 else { return false }
    case .signal:
      dbus_message_set_no_reply(message, 1)
    }
    if let name = outgoing.destination, dbus_message_set_destination(message, name) == 0 { return false }
    if let path = outgoing.path, dbus_message_set_path(message, path.string) == 0 { return false }
    if let name = outgoing.interface, dbus_message_set_interface(message, name) == 0 { return false }
    if let name = outgoing.member, dbus_message_set_member(message, name) == 0 { return false }
    return true
  }

  private static func writeBody(_ body: [Value], to message: OpaquePointer) -> Bool {
    guard !body.isEmpty else { return true }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    return body.allSatisfy { append($0, to: &iterator) }
  }

  private static func append(_ value: Value, to iterator: inout DBusMessageIter) -> Bool {
    switch value {
    case .byte(let number): append(number, "y", &iterator)
    case .boolean(let bool): append(dbus_bool_t(bool ? 1 : 0), "b", &iterator)
    case .int16(let number): append(number, "n", &iterator)
    case .uint16(let number): append(number, "q", &iterator)
    case .int32(let number): append(number, "i", &iterator)
    case .uint32(let number): append(number, "u", &iterator)
    case .int64(let number): append(number, "x", &iterator)
    case .uint64(let number): append(number, "t", &iterator)
    case .double(let number): append(number, "d", &iterator)
    case .string(let text): text.withCString { append(Optional($0), "s", &iterator) }
    case .objectPath(let path): path.string.withCString { append(Optional($0), "o", &iterator) }
    case .signature(let signature): signature.string.withCString { append(Optional($0), "g", &iterator) }
    case .array(.byte, let elements): appendBytes(elements, to: &iterator)
    case .array(let type, let elements):
      container("a", type.description, &iterator) { inner in elements.allSatisfy { append($0, to: &inner) } }
    case .dictionary(let key, let value, let entries):
      container("a", "{\(key)\(value)}", &iterator) { inner in entries.allSatisfy { append($0, to: &inner) } }
    case .structure(let members):
      container("r", nil, &iterator) { inner in members.allSatisfy { append($0, to: &inner) } }
    case .variant(let content):
      container("v", content.type.description, &iterator) { append(content, to: &$0) }
    }
  }

  private static func append(_ entry: DictionaryEntry, to iterator: inout DBusMessageIter) -> Bool {
    container("e", nil, &iterator) { append(entry.key, to: &$0) && append(entry.value, to: &$0) }
  }

  private static func append<Basic>(_ basic: Basic, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter) -> Bool {
    withUnsafePointer(to: basic) { dbus_message_iter_append_basic(&iterator, Int32(code.value), $0) != 0 }
  }

  private static func appendBytes(_ elements: [Value], to iterator: inout DBusMessageIter) -> Bool {
    let bytes = elements.map { if case .byte(let byte) = $0 { byte } else { UInt8(0) } }
    return container("a", "y", &iterator) { inner in
      bytes.withUnsafeBufferPointer { buffer in
        guard var start = buffer.baseAddress else { return true }
        return dbus_message_iter_append_fixed_array(&inner, Int32(UInt8(ascii: "y")), &start, Int32(buffer.count)) != 0
      }
    }
  }

  private static func container(
    _ code: Unicode.Scalar, _ contained: String?, _ iterator: inout DBusMessageIter, _ content: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, Int32(code.value), contained, &inner) != 0 else { return false }
    guard content(&inner) else {
      dbus_message_iter_abandon_container(&iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inner) != 0
  }
}

extension OutgoingMessage {
  fileprivate var type: Int32 {
    switch kind {
    case .methodCall: DBUS_MESSAGE_TYPE_METHOD_CALL
    case .methodReturn: DBUS_MESSAGE_TYPE_METHOD_RETURN
    case .error: DBUS_MESSAGE_TYPE_ERROR
    case .signal: DBUS_MESSAGE_TYPE_SIGNAL
    }
  }
}
