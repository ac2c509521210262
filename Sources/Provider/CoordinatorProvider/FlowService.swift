import CoordinatorKit
import DBus

/// What a ``Provider`` serves: decides for the coordinators of flows, and performs their work. May be used from any
/// thread.
package protocol FlowService: Sendable {
  /// The flows as `RegisterFlows` takes them.
  var registration: [[String: Value]] { get throws }
  /// Changes with the program or what it executes.
  var digest: String { get }
  /// Emits a value whenever ``registration`` or ``digest`` has changed.
  var changes: AsyncStream<Void> { get }

  /// Whether flows are left out that another program serves, or that the daemon refuses. Otherwise, none is served until all
  /// can be.
  var servesWhatItCan: Bool { get }

  /// Returns what comes of an event.
  func decide(_ question: FlowQuestion) async -> FlowAnswer

  /// Performs a piece of work.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - flow: the name of the flow.
  ///   - instance: the name of the coordinator's instance.
  ///   - attempt: how often the work was begun, with this time.
  ///   - context: provides the secrets, and reports progress.
  /// - Returns: the text of the result.
  /// - Throws: `CancellationError` if the work was cancelled; any other error is its result.
  func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String

  /// Computes the screens of a coordinator from a value that its work has reported; nil if nothing was asked about the
  /// coordinator while the work ran.
  func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]?

  /// Returns whether the work of a flow shows live values.
  func showsLiveValues(_ flow: String) -> Bool

  /// Returns whether another process may go on with the work of a flow at any time, because it only follows something
  /// that does not end with this process.
  func isMovable(_ flow: String) -> Bool

  /// Forgets what is kept in memory of a coordinator that has ended.
  func forget(_ instance: String)
  /// Forgets the same, and is told whether the coordinator has failed: then, what it stood for may still go on.
  func forget(_ instance: String, hasFailed: Bool)
}

extension FlowService {
  package func isMovable(_ flow: String) -> Bool { false }
  package func forget(_ instance: String, hasFailed _: Bool) { forget(instance) }
}

extension FlowServer: FlowService {
  package var registration: [[String: Value]] { get throws { try catalogue.registration } }
  package var digest: String { ProgramDigest.own }
  package var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
  package var servesWhatItCan: Bool { false }

  package func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String {
    try await perform(work, of: flow, in: context)
  }
}
