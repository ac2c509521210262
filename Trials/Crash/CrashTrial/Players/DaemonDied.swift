import CoordinatorClient
import DBus

/// The error for a missing daemon, or one that died before it answered.
package struct DaemonDied: Error {
  /// Whether the call may have reached the daemon, so that it may or may not have been carried out.
  package let mayHaveReceived: Bool

  /// Creates the error for a call that was not made.
  init() { mayHaveReceived = false }

  /// Creates the error from that of a call; nil if the daemon or this process raised it for another reason.
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
