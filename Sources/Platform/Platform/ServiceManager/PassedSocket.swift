import Glibc

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
