import ArgumentParser
import Logging

extension Logger.Level: @retroactive ExpressibleByArgument {
  /// All levels, for help texts.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
