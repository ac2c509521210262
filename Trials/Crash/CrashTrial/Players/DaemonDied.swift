import CoordinatorClient
import DBus

/// The daemon was not there, or died before it answered.
package struct DaemonDied: Error {
  /// Whether the call may have reached it: what was asked may then have been done, or not.
  package let mayHaveReceived: Bool

  /// Nobody was called.
  init() { mayHaveReceived = false }

  /// Sorts an error of a call; nil for one that the daemon, or this process, has made.
  package init?(_ error: any Error) {
    let mayHaveReceived: Bool? =
      switch error {
      case let error as DaemonDied: error.mayHaveReceived
      case ClientError.noDaemon: false
      case ClientError.failed(let error): Self.mayHaveReceived(error)
      case let error as DBusError: Self.mayHaveReceived(error)
      default: nil
      }
    guard let mayHaveReceived else { return nil }
    self.mayHaveReceived = mayHaveReceived
  }

  private static func mayHaveReceived(_ error: DBusError) -> Bool? {
    if error.isStandard("NoReply") { return true }
    return error.isStandard("ServiceUnknown") || error.isStandard("NameHasNoOwner") ? false : nil
  }
}
