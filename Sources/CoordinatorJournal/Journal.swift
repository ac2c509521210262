import CoordinatorKit
import GRDB

/// The durable state of a daemon: a database in a directory of its own, in which every transition is one transaction, and the
/// transitions of many trees share a commit (rule 10).
///
/// Safe to use from any thread. Whoever stores or reads is suspended meanwhile; only opening and closing block their thread.
public final class Journal: Sendable {
  /// The name of the database in its directory.
  public static let fileName = "journal.sqlite"

  /// What happened when it was opened.
  public let notices: [JournalNotice]
  private let configuration: JournalConfiguration
  private let directory: StateDirectory
  /// For tests: to count commits, and to make them fail.
  let database: DatabaseQueue
  let commits: CommitQueue

  /// Opens the journal of a directory, or makes one. A database that is damaged, or not ours, is moved aside.
  ///
  /// - Parameter configuration: where and how.
  /// - Throws: ``JournalError`` if the directory or the database cannot be used, or is in use.
  public init(_ configuration: JournalConfiguration) throws(JournalError) {
    self.configuration = configuration
    directory = try StateDirectory(configuration.directory)
    (database, notices) = try JournalFile.open(in: directory, configuration)
    commits = CommitQueue(database, in: directory, configuration)
  }

  // MARK: Storing

  /// Where a tree stores its transitions.
  ///
  /// - Parameters:
  ///   - root: how it was asked for; kept with the transition that starts it.
  ///   - catalogue: tells the versions of the flows.
  /// - Returns: the store, for this tree alone.
  public func store(of root: StoredRoot, in catalogue: FlowCatalogue) -> any TransitionStore {
    TreeStore(commits: commits, root: root, catalogue: catalogue)
  }

  /// Ends a tree that could not be taken up again.
  ///
  /// - Parameters:
  ///   - root: what ``roots()`` told of it.
  ///   - failure: why.
  ///   - time: when, in microseconds since 1970.
  /// - Throws: ``JournalError`` if that cannot be stored.
  public func fail(_ root: StoredRoot, _ failure: Failure, at time: UInt64) async throws(JournalError) {
    let change = StoredChange(failing: CoordinatorPath(root: root.name), flow: root.flow, failure, at: time)
    try await commits.store(root.sequence) { .change(change) }
  }

  // MARK: Reading

  /// All roots, without their trees.
  ///
  /// - Throws: ``JournalError/database(_:)``.
  public func roots() async throws(JournalError) -> StoredRoots {
    try await read { try TreeReader(db: $0).roots() }
  }

  /// The trees of roots that live.
  ///
  /// - Parameter roots: what ``roots()`` told of them.
  /// - Returns: by the root's name, those that still live.
  /// - Throws: ``JournalError/database(_:)``.
  public func trees(of roots: [StoredRoot]) async throws(JournalError) -> [String: StoredTree] {
    try await read { db in
      let reader = TreeReader(db: db)
      var trees: [String: StoredTree] = [:]
      for root in roots { trees[root.name] = try reader.tree(root.sequence) }
      return trees
    }
  }

  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(JournalError) -> Result {
    do {
      // Not `read`, which does not bear a connection that is closed. Nobody else writes, so that a transaction would change nothing.
      return try await database.writeWithoutTransaction { [commits] db in
        guard !commits.isClosed else { throw JournalError.closed }
        return try body(db)
      }
    } catch {
      throw JournalError(error)
    }
  }

  /// Waits for what is being written, closes the database, and lets another daemon have the directory. What is stored after that is
  /// refused.
  public func close() {
    try? database.writeWithoutTransaction { db in
      // The call behind a checkpoint does not bear a connection that is closed.
      if commits.close(db) { _ = try db.checkpoint(.truncate) }
    }
    try? database.close()
    directory.release()
  }
}
