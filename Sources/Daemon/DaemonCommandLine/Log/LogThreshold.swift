import Logging
import Synchronization

/// The lowest level that a daemon logs.
///
/// A reload may change it while other threads log. Reading it is a relaxed atomic load.
final class LogThreshold: Sendable {
  /// The rank of the level, 0 for the lowest.
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
