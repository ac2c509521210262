/// A script that begins anew again and again, though nothing was asked, done or waited for, would keep the machine busy for
/// ever. It is slowed down more and more, and then held.
extension ScriptLog {
  /// How many such rounds there may be at full speed.
  private static let freeRounds: UInt64 = 5
  /// After how many it is held.
  private static let maxRounds: UInt64 = 40
  /// From how many microseconds on a round is slow, beside the pause before it: its looks have waited for something.
  private static let slowRound: UInt64 = 2_000_000

  /// What is wrong with such a script, for its author.
  package static let circling =
    "the script begins anew again and again, though it has asked nothing, done nothing and waited for nothing since;"
    + " ask sleep waits"

  /// Whether the script has begun anew in vain as often as it may.
  package var isCircling: Bool { rounds >= Self.maxRounds }

  /// How long to wait before the next round; nil not to wait. It doubles, up to ten seconds.
  package var pauseBeforeRound: Duration? {
    guard rounds > Self.freeRounds else { return nil }
    return .milliseconds(min(10_000, 100 << min(rounds - Self.freeRounds - 1, 10)))
  }

  /// Whether the script waits for the first time.
  package var isFirstPause: Bool { rounds == Self.freeRounds + 1 }

  /// Finds out whether nothing has come of the round that is over, and it was quick. Looks change nothing, but may wait for
  /// something. A clock that was set back makes a round quick.
  ///
  /// - Parameter now: the time, in microseconds since 1970.
  /// - Returns: whether the round was in vain.
  func isRoundInVain(now: UInt64) -> Bool {
    let pause = UInt64((pauseBeforeRound ?? .zero) / .microseconds(1))
    if let start = roundStart, now >= start, now - start >= pause + Self.slowRound { return false }
    return entries.allSatisfy { entry in
      switch entry.body {
      case .value, .patch: true
      case .step(let step): step.isLook
      case .ask, .timer, .child: false
      }
    }
  }
}
