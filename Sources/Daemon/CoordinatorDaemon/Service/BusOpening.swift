import CoordinatorBus
import DBus
import Logging

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
