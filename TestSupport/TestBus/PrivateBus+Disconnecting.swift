import DBus

extension PrivateBus {
  /// Closes a connection, and waits until the bus has noticed it.
  ///
  /// The bus reads its sockets in an arbitrary order. Without the wait, it may read later messages of another connection before
  /// it notices that this one has left, with all its names.
  ///
  /// - Parameter connection: a connection to this bus.
  /// - Throws: the errors of ``DBus/Connection/open(_:loop:limits:admitting:)`` and
  ///   ``DBus/Connection/signals(matching:bufferSize:)``.
  public func disconnect(_ connection: Connection) async throws {
    let witness = try await Connection.open(.address(address))
    let bus = "org.freedesktop.DBus"
    var leaving = try await witness.signals(
      matching: MatchRule(
        type: .signal, sender: bus, interface: bus, member: "NameOwnerChanged", arguments: [0: connection.uniqueName])
    ).makeAsyncIterator()
    await connection.close()
    _ = await leaving.next()
    await witness.close()
  }
}
