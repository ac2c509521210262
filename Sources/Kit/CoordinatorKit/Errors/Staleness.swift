/// Why a screen that was shown cannot be acted on. The raw values are the words of the D-Bus contract.
public enum Staleness: String, Sendable, Hashable, Codable, CaseIterable {
  /// Another screen is on top of it.
  case covered
  /// It was dismissed.
  case gone
  /// It belongs to a coordinator other than the one that was called.
  case elsewhere
  /// It was updated after the revision that the user was looking at.
  case changed
}
