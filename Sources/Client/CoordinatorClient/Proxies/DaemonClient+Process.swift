import CoordinatorBus
import DBus

/// The process that serves the daemon's name.
public struct DaemonProcess: Sendable, Hashable {
  /// Its number.
  public var number: UInt32
  /// The number of the user that it runs as.
  public var user: UInt32
}

extension DaemonClient {
  /// The process that owns the daemon's name now. Starts none.
  ///
  /// - Returns: nil if nobody owns the name.
  /// - Throws: `ClientError` if the bus does not say.
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
