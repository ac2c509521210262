import Logging
import Synchronization

/// The level from which on a daemon logs, which a reload changes while others log. Looking at it costs next to nothing.
final class LogThreshold: Sendable {
  /// The level's place among all, the lowest first.
  private let place: Atomic<Int>

  init(_ level: Logger.Level) { place = Atomic(Self.place(of: level)) }

  var level: Logger.Level {
    get {
      switch place.load(ordering: .relaxed) {
      case 0: .trace
      case 1: .debug
      case 2: .info
      case 3: .notice
      case 4: .warning
      case 5: .error
      default: .critical
      }
    }
    set { place.store(Self.place(of: newValue), ordering: .relaxed) }
  }

  private static func place(of level: Logger.Level) -> Int {
    switch level {
    case .trace: 0
    case .debug: 1
    case .info: 2
    case .notice: 3
    case .warning: 4
    case .error: 5
    case .critical: 6
    }
  }
}
