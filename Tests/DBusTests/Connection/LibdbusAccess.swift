import CDBus

@testable import DBus

/// Access to features of libdbus that no API of the project uses: its pending calls and Unix file descriptors.
extension Connection {
  var outgoingSize: Int { link.outgoingSize }
  var timeoutCount: Int { link.timeouts.count }
  var isDispatched: Bool {
    link.connection.map { dbus_connection_get_dispatch_status($0) == DBUS_DISPATCH_COMPLETE } ?? false
  }

  /// Emits numbered signals in one serial job, and returns how many bytes waited after each.
  func emitTogether(_ count: Int) throws(DBus.DBusError) -> [Int] {
    var waiting: [Int] = []
    for number in 0..<count {
      try emit(Signal(path: "/", interface: "a.b", member: "C", body: [.uint32(UInt32(number))]))
      waiting.append(outgoingSize)
    }
    return waiting
  }

  /// Makes a call with libdbus's own pending calls that is never answered, and reports whether it ended with an error.
  func addLibdbusCall(_ completion: @escaping @Sendable (Bool) -> Void) {
    guard let message = dbus_message_new_method_call(SampleObject.name, SampleObject.path.string, SampleObject.name, "Keep")
    else {
      return
    }
    defer { dbus_message_unref(message) }
    var pending: OpaquePointer?
    guard dbus_connection_send_with_reply(link.connection, message, &pending, 20) != 0, let call = pending else { return }
    poll(UInt(bitPattern: call), completion)
  }

  private func poll(_ call: UInt, _ completion: @escaping @Sendable (Bool) -> Void) {
    loop.schedule(after: .milliseconds(1)) { [self] in
      assumeIsolated { connection in
        guard let pending = OpaquePointer(bitPattern: call) else { return }
        guard dbus_pending_call_get_completed(pending) != 0 else { return connection.poll(call, completion) }
        let reply = dbus_pending_call_steal_reply(pending)
        completion(dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR)
        if let reply { dbus_message_unref(reply) }
        dbus_pending_call_unref(pending)
      }
    }
  }

  /// Calls Echo with a variant that contains a file descriptor, which no API of the project can send.
  func sendDescriptor(_ descriptor: Int32, to destination: String) -> Bool {
    guard let message = dbus_message_new_method_call(destination, SampleObject.path.string, SampleObject.name, "Echo") else {
      return false
    }
    defer { dbus_message_unref(message) }
    var (iterator, inner) = (DBusMessageIter(), DBusMessageIter())
    dbus_message_iter_init_append(message, &iterator)
    var value = descriptor
    guard dbus_message_iter_open_container(&iterator, Int32(UInt8(ascii: "v")), "h", &inner) != 0,
      dbus_message_iter_append_basic(&inner, Int32(UInt8(ascii: "h")), &value) != 0,
      dbus_message_iter_close_container(&iterator, &inner) != 0
    else { return false }
    return dbus_connection_send(link.connection, message, nil) != 0
  }
}
