/// Why a screen is refused: it is not as the contract defines it, or no renderer could show it.
public struct MalformedScreen: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key that is missing or has a wrong value, such as `actions` or `actions.role`.
  public let key: String
  /// What is wrong with its value, for the author; nil if the key is missing, or if its value has a wrong type.
  public let reason: String?

  /// Creates an error about `key`.
  ///
  /// - Parameters:
  ///   - key: the key that is missing or has a wrong value.
  ///   - reason: what is wrong with its value; nil if the key is missing, or if its value has a wrong type.
  public init(key: String, reason: String? = nil) {
    self.key = key
    self.reason = reason
  }

  /// The fault without its subject, the screen: `'accent' is invalid: must be a color as #RRGGBB`.
  package var fault: String { "'\(key)' is " + (reason.map { "invalid: \($0)" } ?? "missing or invalid") }

  /// The error on one line, for people.
  public var description: String { "a screen whose \(fault)" }
}
