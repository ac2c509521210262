import DBus
import Languages

/// The complete state of a Router at one moment, as sent on the bus: the reply of Attach, or the result of GetAll.
public struct WindowSnapshot: Sendable, Hashable {
  /// The revision that the snapshot shows.
  public var revision: UInt64
  /// The screens' dictionaries, bottom first.
  public var screens: [[String: Value]]
  /// The reason why the tree is held, or nil if it is not.
  public var held: String?
  /// The language of the screens; English if the daemon has no languages, or if the tree is held.
  public var language: LanguageTag

  /// Creates a snapshot of the given screens, bottom first.
  public init(
    revision: UInt64, screens: [[String: Value]], held: String? = nil, language: LanguageTag = .english
  ) {
    self.revision = revision
    self.screens = screens
    self.held = held
    self.language = language
  }
}
