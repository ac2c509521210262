import CoordinatorKit
import GRDB
import Locking

/// The durable state of a daemon: a database in a directory of its own, in which every transition is one transaction, and the
/// transitions of many trees share a commit (rule 10).
///
/// Safe to use from any thread. Whoever stores or reads is suspended meanwhile; only opening and closing block their thread.
public final class Journal: Sendable {
  /// The name of the database in its directory.
  public static let fileName = "journal.sqlite"

  /// The database, which is another one after it was found to be damaged.
  private struct Opened {
    let database: DatabaseQueue
    let commits: CommitQueue
    var notices: [JournalNotice]
    var isClosed = false
  }

  private let configuration: JournalConfiguration
  private let directory: StateDirectory
  private let opened: Lock<Opened>

  /// What happened when it was opened, and when ``roots()`` were read.
  public var notices: [JournalNotice] { opened.withLock(\.notices) }
  /// For tests: to count commits, and to make them fail.
  var database: DatabaseQueue { opened.withLock(\.database) }
  var commits: CommitQueue { opened.withLock(\.commits) }

  /// Opens the journal of a directory, or makes one. A database that is not ours is moved aside. Whether one of ours is damaged is looked
  /// at when its ``roots()`` are read.
  ///
  /// - Parameter configuration: where and how.
  /// - Throws: ``JournalError`` if the directory or the database cannot be used, or is in use.
  public init(_ configuration: JournalConfiguration) throws(JournalError) {
    self.configuration = configuration
    directory = try StateDirectory(configuration.directory)
    let (database, notices) = try JournalFile.open(in: directory, configuration)
    opened = Lock(
      Opened(database: database, commits: CommitQueue(database, in: directory, configuration), notices: notices))
  }

  // MARK: Storing

  /// Where a tree stores its transitions.
  ///
  /// - Parameters:
  ///   - root: how it was asked for; kept with the transition that starts it.
  ///   - catalogue: tells the versions of the flows.
  /// - Returns: the store, for this tree alone.
  public func store(of root: StoredRoot, in catalogue: FlowCatalogue) -> any TransitionStore {
    NewTreeStore(commits: commits, root: root, catalogue: catalogue)
  }

  /// Where a tree that was taken up again stores its transitions.
  ///
  /// - Parameters:
  ///   - root: what ``roots()`` told of it.
  ///   - catalogue: tells the versions of the flows.
  /// - Returns: the store, for this tree alone.
  public func store(ofRestored root: StoredRoot, in catalogue: FlowCatalogue) -> any TransitionStore {
    TreeStore(commits: commits, tree: root.sequence, catalogue: catalogue)
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

  /// All roots, without their trees; to be read before anything is stored. A database that turns out to be damaged is moved aside, and
  /// then there are none.
  ///
  /// - Throws: ``JournalError`` if they cannot be read, or a new database cannot be made.
  public func roots() async throws(JournalError) -> StoredRoots {
    do {
      return try await read { [configuration] in try JournalFile.check($0, configuration) }
    } catch let unusable as DatabaseFile.Unusable {
      try replace(unusable)
      return StoredRoots()
    } catch {
      throw JournalError(error)
    }
  }

  /// Goes on with a new database in the place of one that is damaged, unless the journal has been closed.
  private func replace(_ unusable: DatabaseFile.Unusable) throws(JournalError) {
    // Locked meanwhile, so that nobody lets another daemon have the directory.
    try opened.withLock { opened -> Result<Void, JournalError> in
      guard !opened.isClosed else { return .failure(.closed) }
      try? opened.database.close()
      do throws(JournalError) {
        let (database, notices) = try JournalFile.replace(unusable, in: directory, configuration)
        opened = Opened(
          database: database, commits: CommitQueue(database, in: directory, configuration), notices: opened.notices + notices)
        return .success(())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// The trees of roots that live.
  ///
  /// - Parameter roots: what ``roots()`` told of them.
  /// - Returns: by the root's name, those that still live.
  /// - Throws: ``JournalError/database(_:)``.
  public func trees(of roots: [StoredRoot]) async throws(JournalError) -> [String: StoredTree] {
    do {
      let trees = try await read { try TreeReader(db: $0).trees(roots.map(\.sequence)) }
      return Dictionary(roots.compactMap { root in trees[root.sequence].map { (root.name, $0) } }, uniquingKeysWith: { $1 })
    } catch {
      throw JournalError(error)
    }
  }

  private func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
    let (database, commits) = opened.withLock { ($0.database, $0.commits) }
    // Not `read`, which does not bear a connection that is closed. Nobody else writes, so that a transaction would change nothing.
    return try await database.writeWithoutTransaction { db in
      guard !commits.isClosed else { throw JournalError.closed }
      return try body(db)
    }
  }

  /// Waits for what is being written, closes the database, and lets another daemon have the directory. What is stored after that is
  /// refused.
  public func close() {
    let (database, commits) = opened.withLock { opened in
      opened.isClosed = true
      return (opened.database, opened.commits)
    }
    try? database.writeWithoutTransaction { db in
      // The call behind a checkpoint does not bear a connection that is closed.
      if commits.close(db) { _ = try db.checkpoint(.truncate) }
    }
    try? database.close()
    directory.release()
  }
}
