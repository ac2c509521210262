import Glibc

/// A notification that a service sends to its manager.
///
/// Source: sd_notify(3).
public enum Notice: Sendable, Hashable {
  /// The service is ready: it has started, or has finished reloading its configuration.
  case ready
  /// The service has been reloading its configuration since the given time, in microseconds of CLOCK_MONOTONIC.
  case reloading(since: UInt64)
  /// The service is about to end. It can be started again only when this process has gone.
  case stopping
  /// The service needs this much time, from now on, until it has ended. Sent in whole seconds, at least one.
  case needsTime(Duration)
  /// The current activity of the service, on one line for people.
  case status(String)
  /// The service is alive: resets the watchdog.
  case watchdog

  /// A notification that the service starts reloading its configuration now.
  public static var reloading: Notice {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return .reloading(since: UInt64(clamping: now.tv_sec) * 1_000_000 + UInt64(clamping: now.tv_nsec) / 1_000)
  }

  /// The payload of the datagram.
  var text: String {
    switch self {
    case .ready: "READY=1\n"
    case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)\n"
    case .stopping: "STOPPING=1\n"
    case .needsTime(let time): "EXTEND_TIMEOUT_USEC=\(max(1, time.components.seconds) * 1_000_000)\n"
    case .status(let line):
      "STATUS=\(line.utf8.split(whereSeparator: Self.endsLine).map { String(Substring($0)) }.joined(separator: " "))\n"
    case .watchdog: "WATCHDOG=1\n"
    }
  }

  /// Returns whether a byte is a line feed, a carriage return, or one of the tabs and feeds between them.
  private static func endsLine(_ byte: UInt8) -> Bool { (0x0A...0x0D).contains(byte) }

  /// Whether to wait for a manager that has not read earlier notifications yet.
  var isUrgent: Bool {
    switch self {
    case .ready, .reloading, .stopping: true
    case .needsTime, .status, .watchdog: false
    }
  }
}
