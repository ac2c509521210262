import DBus

/// All that a Router shows at one moment, as it stands on the bus: what Attach answers, and what GetAll reads.
public struct WindowSnapshot: Sendable, Hashable {
  /// The revision that it shows.
  public var revision: UInt64
  /// The contents of the screens' dictionaries, bottom first.
  public var screens: [[String: Value]]
  /// Why the tree is held; nil if it is not.
  public var held: String?

  /// A snapshot of the given screens, bottom first.
  public init(revision: UInt64, screens: [[String: Value]], held: String? = nil) {
    self.revision = revision
    self.screens = screens
    self.held = held
  }
}
