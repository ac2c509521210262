import ArgumentParser
import Logging

/// The levels of the log as the command line names them.
///
/// A type of its own, so that a daemon can make `Logger.Level` an argument in its own way.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
  case trace, debug, info, notice, warning, error, critical

  /// All levels, for help texts.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  var level: Logger.Level {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical: .critical
    }
  }
}
