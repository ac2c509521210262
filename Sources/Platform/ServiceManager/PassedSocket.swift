import Glibc

/// A socket that the service manager has opened, and passed on to the process that it started for it: sd_listen_fds(3).
public struct PassedSocket: Sendable, Hashable {
  /// Its descriptor, which from now on belongs to whoever asked for it.
  public let descriptor: Int32
  /// How its unit calls it; empty if it has no name.
  public let name: String

  /// The sockets that were passed to a process, in the order of their unit. Programs that it starts do not get them.
  ///
  /// - Parameters:
  ///   - environment: The value of a variable; nil if it is not set.
  ///   - process: The process that asks: what was passed to its parent is not meant for it.
  /// - Returns: None, if it was started in another way.
  public static func all(environment: (String) -> String? = Environment.value, process: pid_t = getpid()) -> [PassedSocket] {
    guard environment("LISTEN_PID") == String(process), let count = environment("LISTEN_FDS").flatMap(Int32.init),
      (1...1_024).contains(count)
    else { return [] }
    let names = environment("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
    return zip(first..<first + count, names + Array(repeating: "", count: Int(count))).map { descriptor, name in
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return PassedSocket(descriptor: descriptor, name: name)
    }
  }

  /// The first descriptor behind the three that every process has.
  private static let first: Int32 = 3
}
