import Logging
import Synchronization

/// The level from which on a daemon logs, which a reload changes while others log.
final class LogThreshold: Sendable {
  private static let levels = Logger.Level.allCases
  /// Its place among all levels.
  private let place: Atomic<Int>

  init(_ level: Logger.Level) { place = Atomic(Self.place(of: level)) }

  var level: Logger.Level {
    get { Self.levels.dropFirst(place.load(ordering: .relaxed)).first ?? .notice }
    set { place.store(Self.place(of: newValue), ordering: .relaxed) }
  }

  private static func place(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}
