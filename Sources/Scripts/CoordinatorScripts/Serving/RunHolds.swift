import Platform

/// Counts how often the daemon was told to hold a coordinator. It asks three times until it holds; a fourth time, somebody has
/// it tried again. May be used from any thread.
final class RunHolds: Sendable {
  private struct Hold: Sendable {
    var works: UInt64
    var count = 0
  }

  /// How often the daemon asks.
  private static let limit = 3

  private let holds = Lock<[String: Hold]>([:])

  /// Returns whether a coordinator is to be held, and counts it.
  ///
  /// - Parameters:
  ///   - instance: the name of the coordinator's instance.
  ///   - works: the number of its last piece of work: another one has ended its process anew.
  /// - Returns: whether the daemon has not asked often enough to hold it.
  func isHeld(_ instance: String, _ works: UInt64) -> Bool {
    holds.withLock { holds in
      var hold = holds[instance].flatMap { $0.works == works ? $0 : nil } ?? Hold(works: works)
      hold.count += 1
      let isHeld = hold.count <= Self.limit
      holds[instance] = isHeld ? hold : nil
      return isHeld
    }
  }

  /// Forgets a coordinator.
  func forget(_ instance: String) { holds.withLock { $0[instance] = nil } }
}
