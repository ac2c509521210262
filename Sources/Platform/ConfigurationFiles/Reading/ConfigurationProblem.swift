/// A problem in a configuration and its place.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file and line, the variable, or the option.
  public let place: String
  /// The message: what is wrong and what was expected.
  public let message: String

  /// Creates a problem with a value or a line.
  public init(_ message: String, at origin: ConfigurationOrigin) {
    place = origin.description
    self.message = message
  }

  /// Creates a problem with a whole file or directory.
  package init(_ message: String, with path: String) {
    place = path
    self.message = message
  }

  /// The problem as `FILE:LINE: message`, the format that compilers use.
  public var description: String { "\(place): \(message)" }
}
