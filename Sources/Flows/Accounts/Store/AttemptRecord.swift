import CoordinatorKit

/// A tally as the account file holds it: by the time of day, since no other clock outlives a restart.
struct AttemptRecord: Sendable, Hashable {
  var wrong: Int64?
  /// Milliseconds since 1970.
  var refusedUntil: Int64?

  /// What is worth keeping of a tally.
  ///
  /// - Parameters:
  ///   - tally: what was counted.
  ///   - time: says what time of day it will be when refusing ends.
  init(_ tally: AttemptTally, time: any TimeSource) {
    wrong = tally.wrong == 0 ? nil : Int64(tally.wrong)
    refusedUntil = tally.refusedUntil.map { time.wallClock + Int64(($0 - time.elapsed) / .milliseconds(1)) }
  }

  /// Nil if it is none.
  init?(json: JSONValue) {
    guard json.object != nil else { return nil }
    wrong = json["wrong"]?.integer
    refusedUntil = json["refusedUntil"]?.integer
    if json["wrong"] != nil && wrong == nil || json["refusedUntil"] != nil && refusedUntil == nil { return nil }
  }

  /// Whether there is nothing to remember.
  var isClean: Bool { wrong == nil && refusedUntil == nil }

  /// The tally, by the clocks of now. If the time of day was set back the end of refusing may seem far off: the ledger sees to that.
  func tally(time: any TimeSource) -> AttemptTally {
    // No matter how far: an hour stands for forever, and no sum can overflow.
    let hour: Int64 = 3_600_000
    let now = time.wallClock
    let left = refusedUntil.map { min(max($0, now - hour), now + hour) - now }
    return AttemptTally(
      wrong: Int(clamping: wrong ?? 0), refusedUntil: left.map { time.elapsed + .milliseconds($0) })
  }
}
