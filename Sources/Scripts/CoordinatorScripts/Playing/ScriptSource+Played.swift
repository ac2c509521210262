import CoordinatorKit
import ScriptEngine

extension RunStarter {
  /// Where the values of an entry come from that are different each time. In a play they are not: the same log always gets the
  /// same ones, so that two plays can be compared.
  ///
  /// - Parameters:
  ///   - now: the time, in microseconds since 1970.
  ///   - entry: the index of the entry.
  /// - Returns: the source.
  func source(now: UInt64, entry: Int) -> ScriptSource {
    guard isPlaying, !hasRealChance else { return ScriptSource(now: now, uuid: { UniqueID.new() }) }
    let digits = String(entry, radix: 16)
    let padded = String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    return ScriptSource(
      now: now, random: { Double(entry % 10) / 10 }, uuid: { "00000000-0000-4000-8000-\(padded)" })
  }
}
