import CDBus
import Platform

/// Connects and says Hello on a separate thread, because both block until the bus answers, while the loop may have other
/// clients to serve.
enum LinkOpener {
  /// A connection on its way to the loop, to which nothing else refers.
  struct Opened: Sendable {
    /// The `DBusConnection`, as a number because its ownership moves between threads.
    let connection: UInt
    let uniqueName: String
  }

  static func open(_ bus: BusAddress) async throws(ConnectionError) -> Opened {
    guard let address = bus.resolved else {
      throw .cannotConnect(address: bus.description, reason: "no address is given")
    }
    guard !address.holdsNUL else { throw .cannotConnect(address: address, reason: "the address contains the character U+0000") }
    let result = await withCheckedContinuation { continuation in
      let started = Thread.start(name: "dbus-open") { continuation.resume(returning: connect(to: address)) }
      if !started {
        continuation.resume(
          returning: .failure(.cannotConnect(address: address, reason: "cannot create a thread for the connection")))
      }
    }
    return try result.get()
  }

  private static func connect(to address: String) -> Result<Opened, ConnectionError> {
    dbus_threads_init_default()
    var error = CDBus.DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    func failure() -> Result<Opened, ConnectionError> {
      let reason = error.message.map { String(cString: $0) } ?? "out of memory"
      return .failure(.cannotConnect(address: address, reason: reason))
    }
    // Private: a shared connection belongs to libdbus and must not be closed.
    guard let connection = dbus_connection_open_private(address, &error) else { return failure() }
    // Must come first: without it, losing the bus would end the process.
    dbus_connection_set_exit_on_disconnect(connection, 0)
    guard dbus_bus_register(connection, &error) != 0, let name = dbus_bus_get_unique_name(connection) else {
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
      return failure()
    }
    return .success(Opened(connection: UInt(bitPattern: connection), uniqueName: String(cString: name)))
  }
}
