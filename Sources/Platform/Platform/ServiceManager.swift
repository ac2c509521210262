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

/// Determines whether the output of this process goes to the journal.
package enum JournalStream {
  /// Whether stderr leads to the journal, which reads a priority, such as `<4>`, at the beginning of a line. Determined at the
  /// first access.
  ///
  /// Source: systemd.exec(5), `JOURNAL_STREAM`; sd-daemon(3) for priorities.
  package static let isStandardError: Bool = {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && stream.bytes.equals("\(status.st_dev):\(status.st_ino)")
  }()
}

/// The address of a Unix socket: a path, or a name in the abstract namespace, which is written with a leading `@`.
///
/// Source: unix(7).
struct UnixAddress: Sendable, Hashable {
  /// The bytes that follow the address family.
  private let bytes: [UInt8]

  /// Returns nil if `text` is neither a path nor an abstract name, or is too long.
  init?(_ text: String) {
    let characters = Array(text.utf8)
    guard characters.count > 1, !characters.contains(0) else { return nil }
    switch characters.first {
    case UInt8(ascii: "/"): bytes = characters + [0]
    case UInt8(ascii: "@"): bytes = [0] + characters.dropFirst()
    default: return nil
    }
    guard bytes.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
  }

  /// Calls `body` with the address in the kernel's form.
  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let family = MemoryLayout.size(ofValue: address) - MemoryLayout.size(ofValue: address.sun_path)
    let size = socklen_t(family + bytes.count)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}

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

/// A socket that the service manager opened and passed to the process that it started.
///
/// Source: sd_listen_fds(3).
public struct PassedSocket: Sendable, Hashable {
  /// The socket's descriptor, which the caller of ``all(environment:process:)`` owns.
  public let descriptor: Int32
  /// The socket's name in its unit; empty if it has none.
  public let name: String

  /// Returns the sockets that were passed to a process, in the order of their unit. They are not inherited by programs
  /// that the process starts.
  ///
  /// - Parameters:
  ///   - environment: a closure that returns the value of a variable; nil if it is not set.
  ///   - process: the calling process. Sockets that were passed to its parent are not meant for it.
  /// - Returns: the sockets; empty if the process was started in another way.
  public static func all(environment: (String) -> String? = Environment.value, process: pid_t = getpid()) -> [PassedSocket] {
    guard environment("LISTEN_PID") == String(process), let count = environment("LISTEN_FDS").flatMap(Int32.init),
      (1...1_024).contains(count)
    else { return [] }
    let names =
      environment("LISTEN_FDNAMES")?.bytes.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
    return zip(first..<first + count, names + Array(repeating: "", count: Int(count))).map { descriptor, name in
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return PassedSocket(descriptor: descriptor, name: name)
    }
  }

  /// The first descriptor after the three standard ones.
  private static let first: Int32 = 3
}

/// The environment of this process.
public enum Environment {
  /// Returns the value of a variable; nil if it is not set.
  ///
  /// Source: getenv(3).
  @Sendable public static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// All variables, by name. U+FFFD replaces bytes that are not UTF-8; if a name occurs several times, the first value applies,
  /// as in getenv(3).
  public static var variables: [String: String] { variables(in: environ) }

  /// Returns the variables of a null-terminated list in the form of execve(2). Entries without an equals sign are omitted.
  static func variables(in entries: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> [String: String] {
    var variables: [String: String] = [:]
    var entry = entries
    while let text = entry.pointee {
      if let equals = strchr(text, Int32(UInt8(ascii: "="))) {
        let name = String(decoding: UnsafeRawBufferPointer(start: text, count: equals - text), as: UTF8.self)
        if variables[name] == nil { variables[name] = String(cString: equals + 1) }
      }
      entry += 1
    }
    return variables
  }

  /// The home directory: `$HOME`, or that of the user in the system's database; `/` if there is none.
  public static var homeDirectory: String {
    if let home = value(of: "HOME"), home.bytes.hasPrefix("/") { return home }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil, let home = entry.pw_dir else {
      return "/"
    }
    return String(cString: home)
  }

  /// The working directory; `/` if it has been removed.
  public static var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }
}
