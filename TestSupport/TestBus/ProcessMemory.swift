import Foundation

/// The memory of a process, in kB, as the kernel counts it.
public struct ProcessMemory: Sendable, Hashable, CustomStringConvertible {
  /// What it holds in RAM, code and libraries included.
  public let resident: Int
  /// Of that, what is its own and in no file: heap and stacks.
  public let anonymous: Int

  /// Reads it: exactly from `smaps_rollup`; from `status`, which counts in batches, where only root may read that, as of a process
  /// that is not dumpable.
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

  /// Both, for people.
  public var description: String { "\(resident) kB resident, \(anonymous) kB of it anonymous" }
}
