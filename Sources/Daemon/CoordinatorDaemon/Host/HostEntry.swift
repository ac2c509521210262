import DBus
import Platform

/// Leads from closures that run later back to the parts of a host. Does not retain the host. May be used from any thread.
final class HostEntry: Sendable {
  private struct Target: Sendable {
    weak var host: FlowHost?
  }

  private let target = Lock(Target())

  /// The host; nil before it exists, and after it has gone.
  var host: FlowHost? { target.withLock { $0.host } }

  /// Sets the host, once it exists.
  func lead(to host: FlowHost) { target.withLock { $0.host = host } }

  /// Runs a closure with the parts of the host, if the host exists. The caller runs on the host's executor already.
  func enter(_ body: @Sendable (HostParts) -> Void) { host?.enter(body) }

  /// Reads from the parts of the host. The caller runs on the host's executor already.
  ///
  /// - Parameter body: the closure that reads.
  /// - Returns: its result.
  /// - Throws: `Disconnected` if the host has gone.
  func read<Result: Sendable>(_ body: @Sendable (HostParts) -> Result) throws(DBusError) -> Result {
    guard let host else { throw .disconnected("the daemon has ended") }
    return host.enter(body)
  }
}
