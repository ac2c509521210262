import Glibc

/// The service manager that has started this process, and is told how it is doing: sd_notify(3).
///
/// The protocol is a few lines of text in a datagram, documented as stable and meant to be written anew where that is easier than a
/// library, which every machine would have to have.
public final class ServiceManager: Sendable {
  /// Within which time it expects to hear ``Notice/watchdog``, or takes the process for hung; nil if it expects nothing.
  public let watchdogInterval: Duration?

  private let address: UnixAddress
  private let socket: Int32

  /// The service manager that an environment names.
  ///
  /// - Parameters:
  ///   - environment: The value of a variable; nil if it is not set.
  ///   - process: The process that asks: what is meant for its parent does not hold for it.
  public init?(environment: (String) -> String? = Environment.value, process: pid_t = getpid()) {
    guard let path = environment("NOTIFY_SOCKET"), let address = UnixAddress(path) else { return nil }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    // Who waits for longer does not listen any more.
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

  /// Tells something. That the service manager has gone, or does not listen, is not an error: nobody could do anything about it.
  public func tell(_ notice: Notice) {
    let bytes = Array(notice.text.utf8)
    // A status that comes too late is worth nothing, and the loop must not wait for somebody to listen.
    let flags = notice.isUrgent ? 0 : Int32(MSG_DONTWAIT)
    _ = address.withSocketAddress { address, size in
      sendto(socket, bytes, bytes.count, flags | Int32(MSG_NOSIGNAL), address, size)
    }
  }
}
