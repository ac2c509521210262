import CoordinatorClient
import DBus

extension ClientError {
  /// Whether to retry the page: the daemon was away, left before it had replied, or did not reply in time.
  var isAway: Bool { isDaemonGone || self == .connection(.timedOut) }
}
