import CoordinatorBus
import CoordinatorJournal
import DBus

/// The reason why a daemon ends.
enum EndReason: Equatable {
  case shutdown, idle, nameLost, disconnected
  case unreadable(JournalError)
  /// It is unknown whether the last commit is on the disk.
  case inDoubt(JournalError)
}

/// Ends a daemon without losing a call. The daemon releases its name first. The bus delivers later calls to the next
/// daemon, which it starts if it can. When the bus confirms the release, all earlier calls have arrived, and the daemon
/// answers them.
extension Daemon {
  /// Waits until the daemon has been idle for the configured time, and releases the name.
  ///
  /// Notifies the service manager before the bus. Otherwise, the service manager would consider a daemon that is about
  /// to end as running, and would not start another one for a call that arrives too late for this one.
  ///
  /// - Returns: the reason to end; nil if the wait was cancelled, or if the daemon never ends because it is idle.
  func endOfUse(of host: FlowHost) async -> EndReason? {
    guard let idleTimes = host.idleTimes else { return nil }
    var isAskingForTime = false
    for await _ in idleTimes.times {
      serviceManager?.tell(.stopping)
      do {
        try await host.connection.retire(from: Contract.busName)
        if await host.isIdle { return .idle }
        // A call arrived at the last moment. It may have started a flow, which must be announced and must continue.
        guard try await host.connection.resume(as: Contract.busName) else { return .nameLost }
      } catch {
        return .disconnected
      }
      await isAskingForTime ? host.activityHasChanged() : host.goOn()
      isAskingForTime = true
    }
    return nil
  }

  /// Shuts down a daemon that has served.
  func end(_ host: FlowHost, _ reason: EndReason) async throws {
    if reason != .disconnected { serviceManager?.tell(.stopping) }
    switch reason {
    case .disconnected: throw DaemonError.busLost("\(configuration.bus)")
    case .nameLost: logger.notice("another daemon has taken over")
    case .idle: logger.notice("exiting: idle")
    case .shutdown, .unreadable: logger.notice("exiting")
    case .inDoubt(let error):
      // Waiting callers get no answer, because any answer might be wrong. The bus tells them that there is none, and a
      // request key or a token makes it safe to call again.
      logger.critical("exiting: a commit failed, but may have been stored; the next start determines whether")
      await host.connection.close()
      throw error
    }
    if configuration.journal == nil {
      await host.endAll()
      // Objects are served until the connection is closed, so that clients can still ask for the outcomes of their
      // flows.
      await host.connection.close()
    } else {
      if reason == .shutdown { try? await host.connection.retire(from: Contract.busName) }
      await host.close()
    }
    await host.connection.stopServing(below: Contract.rootPath)
    await host.connection.close()
    if case .unreadable(let error) = reason { throw error }
  }
}
