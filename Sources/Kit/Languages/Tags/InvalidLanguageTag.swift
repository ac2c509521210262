/// The error for a string that does not name a language.
public struct InvalidLanguageTag: Error, Sendable, Hashable, CustomStringConvertible {
  /// The string, truncated to 64 characters.
  public let name: String

  /// Creates an error.
  ///
  /// - Parameter name: the string.
  public init(_ name: String) { self.name = String(name.unicodeScalars.prefix(64)) }

  /// A message that says which form is expected.
  public var description: String { "'\(name)' is not the name of a language; expected one such as 'de' or 'de-AT'" }
}
