/// Where and how a journal keeps what it keeps.
public struct JournalConfiguration: Sendable, Hashable {
  /// How much has to be on the disk before a commit is over.
  public enum Sync: String, Sendable, Hashable, CaseIterable {
    /// Everything: a commit survives a power cut.
    case full
    /// What the system has taken: a commit survives `kill -9`, and a power cut may take the last ones back.
    case normal
    /// Nothing is waited for: a commit survives `kill -9`, and a power cut may damage the database.
    case off
  }

  /// The directory of the database, as a path. Made if it is missing; belongs to one daemon at a time.
  public var directory: String
  /// How much has to be on the disk before a commit is over.
  public var sync: Sync
  /// How many roots that ended are remembered.
  public var maxOutcomes: Int
  /// How many transitions the history goes back.
  public var maxHistory: Int
  /// Who has the directory, for others that want it: see ``Journal/holder(of:)``. The daemon says by it which bus it serves.
  public var holder = ""

  /// Puts a configuration together.
  public init(directory: String, sync: Sync = .full, maxOutcomes: Int = 1_000, maxHistory: Int = 100_000) {
    self.directory = directory
    self.sync = sync
    self.maxOutcomes = maxOutcomes
    self.maxHistory = maxHistory
  }
}
