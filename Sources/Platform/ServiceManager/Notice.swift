import Glibc

/// What a service tells its manager.
public enum Notice: Sendable, Hashable {
  /// It serves: for the first time, or with the configuration that it has read again.
  case ready
  /// It reads its configuration again since that time, in microseconds of CLOCK_MONOTONIC.
  case reloading(since: UInt64)
  /// It is about to end: it can be started again only when this process has gone.
  case stopping
  /// It is about to end, and needs that many whole seconds more than it usually would.
  case needsTime(Duration)
  /// What it is doing, on one line for people.
  case status(String)
  /// It has not hung.
  case watchdog

  /// It reads its configuration again from now on.
  public static var reloading: Notice {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return .reloading(since: UInt64(clamping: now.tv_sec) * 1_000_000 + UInt64(clamping: now.tv_nsec) / 1_000)
  }

  /// The datagram.
  var text: String {
    switch self {
    case .ready: "READY=1\n"
    case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)\n"
    case .stopping: "STOPPING=1\n"
    case .needsTime(let time): "EXTEND_TIMEOUT_USEC=\(max(1, time.components.seconds) * 1_000_000)\n"
    case .status(let line): "STATUS=\(line.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
    case .watchdog: "WATCHDOG=1\n"
    }
  }

  /// Whether it is worth waiting for a manager that has not read what it was told before.
  var isUrgent: Bool {
    switch self {
    case .ready, .reloading, .stopping: true
    case .needsTime, .status, .watchdog: false
    }
  }
}
