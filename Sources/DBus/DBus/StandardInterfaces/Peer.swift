import CDBus

extension Connection {
  /// Serves the Peer interface. libdbus could do so itself, but would answer even callers that requested no reply.
  func servePeer(_ call: IncomingCall) {
    guard call.member == "GetMachineId" else { return call.reply() }
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let id = dbus_try_get_local_machine_id(&error) else {
      return call.fail(.failed(error.message.map { String(cString: $0) } ?? "The machine has no id"))
    }
    defer { dbus_free(id) }
    call.reply([.string(String(cString: id))])
  }
}
