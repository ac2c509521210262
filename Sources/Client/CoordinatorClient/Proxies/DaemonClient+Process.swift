import CoordinatorBus
import DBus

/// The process that owns the daemon's name.
public struct DaemonProcess: Sendable, Hashable {
  /// The process id.
  public var number: UInt32
  /// The id of the user that the process runs as.
  public var user: UInt32
}

extension DaemonClient {
  /// Returns the process that currently owns the daemon's name. Does not start the daemon.
  ///
  /// - Returns: the process, or nil if the name has no owner.
  /// - Throws: ``ClientError`` if the bus does not answer the queries.
  public func process() async throws(ClientError) -> DaemonProcess? {
    do {
      let owner = try await ask("GetNameOwner", [.string(Contract.busName)]).text(0)
      let number = try await ask("GetConnectionUnixProcessID", [.string(owner)])
      let user = try await ask("GetConnectionUnixUser", [.string(owner)])
      return DaemonProcess(number: try number.smallNumber(0), user: try user.smallNumber(0))
    } catch .noDaemon {
      return nil
    }
  }
}
