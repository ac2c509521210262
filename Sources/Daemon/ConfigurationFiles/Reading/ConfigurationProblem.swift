/// What is wrong with a configuration, and where.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file with the line, the variable or the option.
  public let place: String
  /// What is wrong, and what was expected.
  public let message: String

  /// A problem with what was said somewhere.
  public init(_ message: String, at origin: ConfigurationOrigin) {
    place = origin.description
    self.message = message
  }

  /// A problem with a file or a directory as a whole.
  init(_ message: String, with path: String) {
    place = path
    self.message = message
  }

  /// `FILE:LINE: what is wrong`, as compilers write it.
  public var description: String { "\(place): \(message)" }
}
