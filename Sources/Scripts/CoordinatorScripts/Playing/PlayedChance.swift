import CoordinatorKit
import ScriptEngine

/// Chance, which is not left to itself while a script is played: the same log always gets the same values, so that two
/// plays can be compared.
enum PlayedChance {
  /// Whether the current task plays a script.
  @TaskLocal static var isPlayed = false
  /// Whether it is left to itself all the same, because a person plays.
  @TaskLocal static var isReal = false

  /// Where an entry's values come from that are different each time.
  ///
  /// - Parameters:
  ///   - now: the time, in microseconds since 1970.
  ///   - entry: the index of the entry.
  /// - Returns: the source.
  static func source(now: UInt64, entry: Int) -> ScriptSource {
    guard isPlayed, !isReal else { return ScriptSource(now: now, uuid: { UniqueID.new() }) }
    let digits = String(entry, radix: 16)
    let padded = String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    return ScriptSource(
      now: now, random: { Double(entry % 10) / 10 }, uuid: { "00000000-0000-4000-8000-\(padded)" })
  }
}
