import Foundation

/// The memory use of a process, in KiB, as the kernel accounts for it.
public struct ProcessMemory: Sendable, Hashable, CustomStringConvertible {
  /// The resident memory, including code and libraries.
  public let resident: Int
  /// The part of the resident memory that is backed by no file: heap and stacks.
  public let anonymous: Int

  /// Reads the memory use of a process. The source is `smaps_rollup`, which is exact, or, where only root may read that
  /// because the process is not dumpable, `status`, whose counters are updated in batches. See proc(5).
  public init(of process: Int32) throws {
    if let exact = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8), !exact.isEmpty {
      (resident, anonymous) = (Self.number("Rss", in: exact), Self.number("Anonymous", in: exact))
    } else {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      (resident, anonymous) = (Self.number("VmRSS", in: status), Self.number("RssAnon", in: status))
    }
  }

  private static func number(_ key: String, in text: String) -> Int {
    let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// Both figures in human-readable form.
  public var description: String { "\(resident) kB resident, \(anonymous) kB of it anonymous" }
}
