/// A dictionary that is not a screen as the contract describes it.
public struct MalformedScreen: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key that is missing, or whose value is wrong: `actions`, `actions.role`.
  public let key: String

  /// Says that something is wrong with `key`.
  public init(key: String) {
    self.key = key
  }

  /// One line for people.
  public var description: String { "a screen without a proper '\(key)'" }
}
