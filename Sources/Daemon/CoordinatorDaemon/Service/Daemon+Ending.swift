import CoordinatorBus
import CoordinatorJournal
import DBus

/// Why a daemon ends.
enum EndReason: Equatable {
  case shutdown, idle, nameLost, disconnected
  case unreadable(JournalError)
  /// Nobody can tell whether what was to be stored last is on the disk.
  case inDoubt(JournalError)
}

/// How a daemon ends without a call being lost. The name goes first: what is called from then on, the bus has the next daemon carry
/// out, which it starts if it can. What was called before has arrived when the bus says that the name is free, and is answered.
extension Daemon {
  /// Waits until there is nothing to do for as long as the configuration says, and leaves the name.
  ///
  /// The service manager hears of it before the bus does. It would otherwise take a daemon that is about to end for one that runs, and
  /// not start another one for a call that comes too late for this one.
  ///
  /// - Returns: nil if the wait was cancelled.
  func endOfUse(of host: FlowHost) async -> EndReason? {
    guard let idleTimes = host.idleTimes else { return nil }
    var isAskingForTime = false
    for await _ in idleTimes.times {
      serviceManager?.tell(.stopping)
      do {
        try await host.connection.retire(from: Contract.busName)
        if await host.isIdle { return .idle }
        // Somebody called at the last moment. What was begun may have to be told, and to be waited for.
        guard try await host.connection.resume(as: Contract.busName) else { return .nameLost }
      } catch {
        return .disconnected
      }
      await isAskingForTime ? host.activityHasChanged() : host.goOn()
      isAskingForTime = true
    }
    return nil
  }

  /// Ends a daemon that has served.
  func end(_ host: FlowHost, _ reason: EndReason) async throws {
    if reason != .disconnected { serviceManager?.tell(.stopping) }
    switch reason {
    case .disconnected: throw DaemonError.busLost("\(configuration.bus)")
    case .nameLost: logger.notice("another daemon has taken over")
    case .idle: logger.notice("exiting: idle")
    case .shutdown, .unreadable: logger.notice("exiting")
    case .inDoubt(let error):
      // Not a word to those who wait: whatever they were told might not be so. They learn from the bus that there is no answer, and a
      // request key or a token makes it safe to call again.
      logger.critical("exiting: a commit failed, but may have been stored; the next start determines whether")
      await host.connection.close()
      throw error
    }
    if configuration.journal == nil {
      await host.endAll()
      // Who asks how its flow has ended is answered as long as there is somebody to ask.
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
