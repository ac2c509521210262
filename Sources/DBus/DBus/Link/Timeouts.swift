import CDBus

/// libdbus's timeouts. They repeat until they are removed, and their interval is read again whenever they are enabled.
///
/// The connection implements the deadlines of calls itself, so that libdbus needs no timeouts for them. Timeouts are
/// served because libdbus may need one internally.
extension Link {
  func startTimeouts(_ connection: OpaquePointer, _ context: UnsafeMutableRawPointer) -> Bool {
    dbus_connection_set_timeout_functions(
      connection,
      { timeout, context in
        guard let timeout, let link = Link.from(context) else { return 0 }
        link.update(timeout)
        return 1
      },
      { timeout, context in
        guard let timeout else { return }
        Link.from(context)?.timeouts.removeValue(forKey: UInt(bitPattern: timeout))?.cancel()
      },
      { timeout, context in
        guard let timeout else { return }
        Link.from(context)?.update(timeout)
      }, context, nil) != 0
  }

  fileprivate func update(_ timeout: OpaquePointer) {
    let id = UInt(bitPattern: timeout)
    timeouts.removeValue(forKey: id)?.cancel()
    guard dbus_timeout_get_enabled(timeout) != 0 else { return }
    // At least a millisecond: an interval of 0 must not starve everything else on the loop.
    let interval = Duration.milliseconds(max(1, Int64(dbus_timeout_get_interval(timeout))))
    timeouts[id] = loop.schedule(after: interval) { [self] in fire(id) }
  }

  private func fire(_ id: UInt) {
    // A cancelled timer does not fire, so the timeout still exists.
    guard let connection, timeouts[id] != nil, let timeout = OpaquePointer(bitPattern: id) else { return }
    dbus_connection_ref(connection)
    _ = dbus_timeout_handle(timeout)
    dbus_connection_unref(connection)
    if timeouts[id] != nil, self.connection != nil { update(timeout) }
  }
}
