import Foundation

/// The memory of a process, in kB, as the kernel counts it.
struct ProcessMemory: Sendable, Hashable, CustomStringConvertible {
  /// What it holds in RAM, code and libraries included.
  let resident: Int
  /// Of that, what is its own and in no file: heap and stacks.
  let anonymous: Int
  /// How many threads it has.
  let threads: Int

  init(of process: Int32) throws {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func number(_ key: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(key + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    (resident, anonymous, threads) = (number("VmRSS"), number("RssAnon"), number("Threads"))
  }

  var description: String { "\(resident) kB resident, \(anonymous) kB of it anonymous, \(threads) threads" }
}
