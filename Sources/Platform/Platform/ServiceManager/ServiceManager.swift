import Glibc

/// The service manager that started this process and receives its notifications. May be used from any thread.
///
/// The protocol consists of a few lines of text in a datagram. It is documented as stable and meant to be reimplemented
/// where that is easier than depending on a library, which every machine would then need.
///
/// Source: sd_notify(3).
public final class ServiceManager: Sendable {
  /// The interval within which the manager expects ``Notice/watchdog`` before it considers the process hung; nil if it
  /// does not expect any.
  public let watchdogInterval: Duration?

  private let address: UnixAddress
  private let socket: Int32

  /// Creates the service manager that the environment names; nil if it names none or the system has no socket left.
  ///
  /// - Parameters:
  ///   - environment: a closure that returns the value of a variable; nil if it is not set.
  ///   - process: the calling process. Settings that are meant for its parent do not apply to it.
  public init?(environment: (String) -> String? = Environment.value, process: pid_t = getpid()) {
    guard let path = environment("NOTIFY_SOCKET"), let address = UnixAddress(path) else { return nil }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    // A manager that does not read for longer than this has stopped listening.
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    self.address = address
    self.socket = socket
    watchdogInterval = Self.watchdogInterval(environment, process)
  }

  deinit { close(socket) }

  private static func watchdogInterval(_ environment: (String) -> String?, _ process: pid_t) -> Duration? {
    guard let text = environment("WATCHDOG_USEC"), let microseconds = Int64(text), microseconds > 0 else { return nil }
    if let meant = environment("WATCHDOG_PID"), meant != String(process) { return nil }
    return .microseconds(microseconds)
  }

  /// Sends a notification. Failures are ignored, because no caller could handle them. Waits for up to a second to send an
  /// urgent notification, and does not wait for others.
  public func tell(_ notice: Notice) {
    let bytes = Array(notice.text.utf8)
    // A late status is worthless, and the loop must not wait for the manager to listen.
    let flags = notice.isUrgent ? 0 : Int32(MSG_DONTWAIT)
    _ = address.withSocketAddress { address, size in
      sendto(socket, bytes, bytes.count, flags | Int32(MSG_NOSIGNAL), address, size)
    }
  }
}
