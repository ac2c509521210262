/// The location and the settings of a journal.
public struct JournalConfiguration: Sendable, Hashable {
  /// What a commit waits for. Source: SQLite, `PRAGMA synchronous`.
  public enum Sync: String, Sendable, Hashable, CaseIterable {
    /// A commit waits for the disk: it survives a power cut.
    case full
    /// A commit waits for the operating system only: it survives `kill -9`, but a power cut may undo the most recent
    /// commits.
    case normal
    /// No write is ever flushed: a commit survives `kill -9`, but a power cut may damage the database.
    case off
  }

  /// The path of the directory that contains the database. It is created if it does not exist, and belongs to one
  /// daemon at a time.
  public var directory: String
  /// What a commit waits for.
  public var sync: Sync
  /// The maximum number of ended roots that are remembered.
  public var maxOutcomes: Int
  /// The number of transitions that the history keeps; 0 for no history.
  public var maxHistory: Int
  /// A description of the process that uses the directory, for others that want to; see ``Journal/holder(of:)``. The
  /// daemon sets it to the bus that it serves.
  public var holder = ""

  /// Creates a configuration.
  public init(directory: String, sync: Sync = .full, maxOutcomes: Int = 1_000, maxHistory: Int = 100_000) {
    self.directory = directory
    self.sync = sync
    self.maxOutcomes = maxOutcomes
    self.maxHistory = maxHistory
  }
}
