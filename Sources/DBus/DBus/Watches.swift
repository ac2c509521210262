import CDBus
import Glibc

/// libdbus's descriptors, handled as in BlueZ's `gdbus/mainloop.c` and Avahi's `dbus-watch-glue.c`.
///
/// libdbus calls the functions given to it with its lock held: they change the loop's table and call nothing of libdbus
/// but the getters of the watch. A disabled watch is not polled at all, so that a hang-up cannot cause a busy loop.
/// Polling is level-triggered: libdbus reads and writes 2048 bytes at a time and relies on being called again.
extension Link {
  func startWatches(_ connection: OpaquePointer, _ context: UnsafeMutableRawPointer) -> Bool {
    dbus_connection_set_watch_functions(
      connection,
      { watch, context in
        guard let watch, let link = Link.from(context) else { return 0 }
        link.update(watch)
        return 1
      },
      { watch, context in
        guard let watch else { return }
        Link.from(context)?.remove(UInt(bitPattern: watch))
      },
      { watch, context in
        guard let watch else { return }
        Link.from(context)?.update(watch)
      }, context, nil) != 0
  }

  /// Adds the watch to the loop, or updates it after a change.
  fileprivate func update(_ watch: OpaquePointer) {
    let id = UInt(bitPattern: watch)
    remove(id)
    guard dbus_watch_get_enabled(watch) != 0 else { return }
    let flags = dbus_watch_get_flags(watch)
    var events: Int16 = 0
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { events |= Int16(POLLIN) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { events |= Int16(POLLOUT) }
    watches[id] = loop.core.addWatch(descriptor: dbus_watch_get_unix_fd(watch), events: events) { [self] events in
      handle(id, events)
    }
  }

  fileprivate func remove(_ id: UInt) {
    guard let key = watches.removeValue(forKey: id) else { return }
    loop.core.removeWatch(key)
  }

  private func handle(_ id: UInt, _ events: Int16) {
    assert(loop.isInSerialJob)
    // A watch that was removed earlier in this turn has already been freed by libdbus.
    guard let connection, watches[id] != nil, let watch = OpaquePointer(bitPattern: id) else { return }
    var flags: UInt32 = 0
    if events & Int16(POLLIN) != 0 { flags |= DBUS_WATCH_READABLE.rawValue }
    if events & Int16(POLLOUT) != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if events & Int16(POLLERR | POLLNVAL) != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
    if events & Int16(POLLHUP) != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
    dbus_connection_ref(connection)
    // False means that memory was short: the event persists, and the next turn retries.
    _ = dbus_watch_handle(watch, flags)
    dbus_connection_unref(connection)
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 {
      write()
      didWrite()
    }
  }
}
