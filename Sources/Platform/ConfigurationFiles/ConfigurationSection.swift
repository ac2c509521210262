/// A section of a family: `[Flow join-network]` is the section `join-network` of the family `Flow`.
public struct ConfigurationSection: Sendable, Hashable {
  /// The word that all sections of the family begin with.
  public let family: String
  /// The name that follows the word.
  public let name: String
  /// The line that begins the section for the first time.
  public let origin: ConfigurationOrigin

  /// Returns whether another heading begins the same section again.
  func isSame(as other: ConfigurationSection) -> Bool { family == other.family && name == other.name }
}
