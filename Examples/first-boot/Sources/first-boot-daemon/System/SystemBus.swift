import DBus

/// The system bus, connected on first use. A system daemon ends with its bus, so this never connects again.
actor SystemBus {
  private var connection: Connection?

  /// Returns one interface of an object of a service.
  func proxy(_ service: String, _ path: ObjectPath, _ interface: String? = nil) async throws -> Proxy {
    let connection = try await connected()
    return Proxy(connection: connection, destination: service, path: path, interface: interface ?? service)
  }

  private func connected() async throws -> Connection {
    if let connection { return connection }
    let opened = try await Connection.open(.system)
    connection = opened
    return opened
  }
}
