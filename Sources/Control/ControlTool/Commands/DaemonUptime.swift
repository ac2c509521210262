import Glibc
import Platform

/// Determines when a process started, from public information of the kernel.
enum DaemonUptime {
  /// Returns when a process started, in microseconds since 1970; nil if it cannot be determined.
  static func start(of process: UInt32) -> UInt64? {
    guard let stat = text("/proc/\(process)/stat"), let boot = text("/proc/stat") else { return nil }
    return start(stat: stat, boot: boot, ticks: UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  }

  /// Computes the start from proc(5).
  ///
  /// - Parameters:
  ///   - stat: contents of `/proc/PID/stat`. The program's name in it may contain spaces and parentheses.
  ///   - boot: contents of `/proc/stat`, which contains the time of boot.
  ///   - ticks: clock ticks in a second.
  /// - Returns: the microseconds since 1970; nil if the contents do not have the format of proc(5).
  static func start(stat: String, boot: String, ticks: UInt64) -> UInt64? {
    guard let (_, rest) = stat.bytes.cutLast(at: ")") else { return nil }
    // The 22nd field is the start; the third is the first one after the name.
    let fields = rest.bytes.split(separator: " ")
    let boots = boot.bytes.split(separator: "\n").lazy.compactMap { $0.bytes.dropping(prefix: "btime ") }
    guard fields.count > 19, let started = UInt64(fields[19]), let booted = boots.first.flatMap({ UInt64($0) })
    else { return nil }
    return booted * 1_000_000 + started * 1_000_000 / ticks
  }

  private static func text(_ path: String) -> String? {
    FileContent.read(path).map { String(decoding: $0, as: UTF8.self) }
  }
}
