import CoordinatorBus
import CoordinatorJournal
import DBus

/// How a daemon begins: it opens what is kept, and takes the bus name, last of all, since whoever sees it sees every object.
///
/// Only if a daemon *of the same bus* still has the directory, the name comes first. That daemon is being replaced, or has left the name and is
/// about to end: so calls for the name wait in this one, and none is lost. A daemon of another bus ends for nobody here, and the name is not
/// taken; it gets a moment all the same, since its bus may be gone, and it with it.
extension Daemon {
  /// How often to look whether a directory is free, and how long to go on.
  private static let interval = Duration.milliseconds(50)
  private static let looksAtOwnBus = 200
  private static let looksAtOtherBus = 20

  /// Opens what is kept, and takes the bus name.
  ///
  /// - Returns: what is kept; nil if nothing is.
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

  /// Opens what is kept; nil if a daemon of this bus has it, which will let go of it.
  private func openUnlessHandedOver(_ keeping: JournalConfiguration) async throws -> Journal? {
    for look in 1...Self.looksAtOtherBus {
      if let journal = try openIfFree(keeping) { return journal }
      let holder = Journal.holder(of: keeping.directory)
      // One that does not say may be about to, or of an older version.
      if holder == keeping.holder || holder == nil && look > 1 { return nil }
      try await Task.sleep(for: Self.interval)
    }
    return try open(keeping)
  }

  /// Opens what is kept as soon as the other daemon has ended; calls wait meanwhile, ten seconds at most.
  private func openWhenFree(_ keeping: JournalConfiguration) async throws -> Journal {
    for _ in 0..<Self.looksAtOwnBus {
      if let journal = try openIfFree(keeping) { return journal }
      try await Task.sleep(for: Self.interval)
    }
    return try open(keeping)
  }

  /// Opens what is kept; nil if another daemon has it.
  private func openIfFree(_ keeping: JournalConfiguration) throws(JournalError) -> Journal? {
    do {
      return try open(keeping)
    } catch .inUse {
      return nil
    }
  }

  private func open(_ keeping: JournalConfiguration) throws(JournalError) -> Journal {
    try Journal(keeping) { logger.critical("\($0)") }
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
