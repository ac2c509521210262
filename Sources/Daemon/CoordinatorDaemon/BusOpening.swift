import CoordinatorBus
import CoordinatorJournal
import DBus
import Logging
import Platform

/// A connection to the bus that is opened while the rest of a daemon is created, for one run of it.
///
/// Opening a connection takes several messages to the bus and back. On a second core, a daemon reads its translations
/// meanwhile.
package struct BusOpening: Sendable {
  /// The bus data that a daemon needs before it serves.
  struct Bus: Sendable {
    let connection: Connection
    /// The identifier of the bus, which is different for each bus.
    let id: String
    /// The relay that is connected to the host once it exists.
    let takeOver: TakeOverRelay
  }

  private let task: Task<Bus, any Error>

  /// Begins to open a connection.
  ///
  /// - Parameters:
  ///   - configuration: the bus, and the limits of messages on it.
  ///   - logger: logs callers that are refused (rule 2).
  package init(_ configuration: DaemonConfiguration, logger: Logger) {
    task = Task {
      let takeOver = TakeOverRelay()
      let loop = EventLoop(onTakeOver: { takeOver.fire() })
      let connection = try await Connection.open(
        configuration.bus, loop: loop, limits: configuration.limits.ofMessages(on: configuration.bus),
        admitting: configuration.callers.admission(logger: logger))
      return Bus(connection: connection, id: try await connection.busID(), takeOver: takeOver)
    }
  }

  /// Waits for the connection. Cancellation is passed on; it does not interrupt the handshake with the bus.
  ///
  /// - Throws: `ConnectionError` if the bus cannot be reached.
  func bus() async throws -> Bus {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// Connects an event loop to the host, which is created after the loop and is notified when a spare thread takes the
/// loop over.
final class TakeOverRelay: Sendable {
  /// Wraps the closure, because a generic `inout` would wrap a bare closure in another one each time.
  private struct Action: Sendable {
    let run: @Sendable () -> Void
  }

  private let action = Lock<Action?>(nil)

  func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = Action(run: action) } }

  func fire() { action.withLock { $0 }?.run() }
}

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
      // A holder that has not recorded its bus may do so soon, or may be an older version, which never does.
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
