/// The error for a dictionary that is not a screen as the contract defines it.
public struct MalformedScreen: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key that is missing or has a wrong value, such as `actions` or `actions.role`.
  public let key: String

  /// Creates an error about `key`.
  public init(key: String) {
    self.key = key
  }

  /// The error on one line, for people.
  public var description: String { "a screen whose '\(key)' is missing or invalid" }
}
