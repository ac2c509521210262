import CoordinatorKit

/// A tally in the account file. Uses the time of day, because no other clock survives a restart.
struct AttemptRecord: Sendable, Hashable {
  var wrong: Int64?
  /// The end of the refusal, in milliseconds since 1970.
  var refusedUntil: Int64?

  /// Creates the stored form of a tally.
  ///
  /// - Parameters:
  ///   - tally: the tally.
  ///   - time: the clocks, to convert the end of the refusal to the time of day.
  init(_ tally: AttemptTally, time: any TimeSource) {
    wrong = tally.wrong == 0 ? nil : Int64(tally.wrong)
    refusedUntil = tally.refusedUntil.map { time.wallClock + Int64(($0 - time.elapsed) / .milliseconds(1)) }
  }

  /// Decodes a record; nil if the JSON is invalid.
  init?(json: JSONValue) {
    guard json.object != nil else { return nil }
    wrong = json["wrong"]?.integer
    refusedUntil = json["refusedUntil"]?.integer
    if json["wrong"] != nil && wrong == nil || json["refusedUntil"] != nil && refusedUntil == nil { return nil }
  }

  /// Whether there is nothing to store.
  var isClean: Bool { wrong == nil && refusedUntil == nil }

  /// Returns the tally according to the current clocks. If the time of day was set back, the end of the refusal may be
  /// far in the future; the ledger limits it.
  func tally(time: any TimeSource) -> AttemptTally {
    // Clamped to one hour, which exceeds every refusal, so that no sum overflows.
    let hour: Int64 = 3_600_000
    let now = time.wallClock
    let left = refusedUntil.map { min(max($0, now - hour), now + hour) - now }
    return AttemptTally(
      wrong: Int(clamping: wrong ?? 0), refusedUntil: left.map { time.elapsed + .milliseconds($0) })
  }
}
