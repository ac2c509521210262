import CoordinatorBus
import CoordinatorJournal
import DBus

/// Starts a daemon: opens the journal, and then takes the bus name. The name comes last because a client that sees the
/// name must see every object.
///
/// The name comes first only if a daemon *on the same bus* still uses the state directory. That daemon is being
/// replaced, or has released the name and is about to end. Calls to the name then wait in this daemon, and none is
/// lost. A daemon on another bus does not end for this one, so the name is not taken. This daemon still retries for a
/// moment, since the other bus may be gone, and its daemon with it.
extension Daemon {
  /// The interval at which to check whether the directory is free, and the maximum numbers of checks.
  private static let interval = Duration.milliseconds(50)
  private static let looksAtOwnBus = 200
  private static let looksAtOtherBus = 20

  /// Opens the journal, and takes the bus name.
  ///
  /// - Returns: the journal; nil if nothing is persisted.
  func takeOver(_ host: FlowHost) async throws -> Journal? {
    do {
      guard var keeping = configuration.journal else {
        try await takeName(host.connection)
        return nil
      }
      keeping.holder = host.busID
      let journal = try await openUnlessHandedOver(keeping)
      try await takeName(host.connection)
      if let journal { return journal }
      return try await openWhenFree(keeping)
    } catch {
      await host.connection.close()
      throw error
    }
  }

  /// Opens the journal; returns nil if a daemon on this bus uses it, which will release it.
  private func openUnlessHandedOver(_ keeping: JournalConfiguration) async throws -> Journal? {
    for look in 1...Self.looksAtOtherBus {
      if let journal = try openIfFree(keeping) { return journal }
      let holder = Journal.holder(of: keeping.directory)
      // A holder that has not recorded its bus may be about to, or may be an older version, which never does.
      if holder == keeping.holder || holder == nil && look > 1 { return nil }
      try await Task.sleep(for: Self.interval)
    }
    return try open(keeping)
  }

  /// Opens the journal once the other daemon has ended. Calls wait in the meantime, for ten seconds at most.
  private func openWhenFree(_ keeping: JournalConfiguration) async throws -> Journal {
    for _ in 0..<Self.looksAtOwnBus {
      if let journal = try openIfFree(keeping) { return journal }
      try await Task.sleep(for: Self.interval)
    }
    return try open(keeping)
  }

  /// Opens the journal; returns nil if another daemon uses it.
  private func openIfFree(_ keeping: JournalConfiguration) throws(JournalError) -> Journal? {
    do {
      return try open(keeping)
    } catch .inUse {
      return nil
    }
  }

  private func open(_ keeping: JournalConfiguration) throws(JournalError) -> Journal {
    try Journal(keeping) { logger.log(level: $0.isLoss ? .critical : .warning, "\($0)") }
  }

  private func takeName(_ connection: Connection) async throws {
    let reply = try await connection.requestName(
      Contract.busName, replace: configuration.replace, allowReplacement: true)
    switch reply {
    case .primaryOwner, .alreadyOwner: break
    case .exists: throw DaemonError.nameTaken(Contract.busName)
    }
  }
}
