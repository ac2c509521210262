import CoordinatorKit
import Dispatch
import Locking

/// The durable state of a daemon: a database in a directory of its own, in which every transition is one transaction, and the
/// transitions of many trees share a commit (rule 10).
///
/// Safe to use from any thread. Whoever stores or reads is suspended meanwhile; only opening and closing block their thread.
public final class Journal: Sendable {
  /// The name of the database in its directory.
  public static let fileName = "journal.sqlite"

  private let told: Lock<[JournalNotice]>
  /// The database. For tests, too: to count commits, and to make them fail.
  let database: JournalDatabase
  let commits: CommitQueue

  /// What an admin should know that has happened so far; each was told when it happened.
  public var notices: [JournalNotice] { told.withLock(\.self) }

  /// Tells, once, why nothing can be stored any more: a commit has failed so that only the next start can tell whether it is on the disk. It
  /// is never answered, and so whoever waits for it must be told by the end of the process.
  public var breakdowns: AsyncStream<JournalError> { database.breakdowns }

  /// Opens the journal of a directory, or makes one. A database that is not ours is moved aside. Whether one of ours is damaged is looked
  /// at when its ``roots()`` are read.
  ///
  /// - Parameters:
  ///   - configuration: where and how.
  ///   - notify: hears at once what an admin should know, from any thread.
  /// - Throws: ``JournalError`` if the directory or the database cannot be used, or is in use. Then it is left as it is.
  public init(
    _ configuration: JournalConfiguration, notify: @escaping @Sendable (JournalNotice) -> Void = { _ in }
  ) throws(JournalError) {
    let told = Lock<[JournalNotice]>([])
    self.told = told
    database = try JournalDatabase(configuration) { notice in
      told.withLock { $0.append(notice) }
      notify(notice)
    }
    commits = CommitQueue(database)
  }

  /// Who has a directory that is in use.
  ///
  /// - Parameter directory: its path.
  /// - Returns: what that process has given as ``JournalConfiguration/holder``; nil if it has not, or not yet.
  public static func holder(of directory: String) -> String? { StateDirectory.holder(of: directory) }

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

  /// Ends a tree that is held. What cannot be read of its root's own row is replaced.
  ///
  /// - Parameters:
  ///   - root: what ``roots()`` told of it; of a damaged one, ``DamagedRoot/asEnded``.
  ///   - change: its end. The number of the answer to keep is chosen here.
  /// - Throws: ``JournalError`` if that cannot be stored.
  public func end(_ root: StoredRoot, _ change: StoredChange) async throws(JournalError) {
    try await commits.store(root.sequence, isEnd: true) { .endOfHeld(root, change) }
  }

  // MARK: Reading

  /// All roots, without their trees; to be read before anything is stored. A database that turns out to be damaged is moved aside, and
  /// then there are none.
  ///
  /// - Throws: ``JournalError`` if they cannot be read now, or no new database can be made. Then nothing was moved.
  public func roots() async throws(JournalError) -> StoredRoots {
    do {
      return try await database.roots()
    } catch {
      throw JournalError(error)
    }
  }

  /// The trees of roots that live.
  ///
  /// - Parameter roots: what ``roots()`` told of them.
  /// - Returns: by the root's name, those that still live.
  /// - Throws: ``JournalError`` if they cannot be read now, which says nothing of what is stored.
  public func trees(of roots: [StoredRoot]) async throws(JournalError) -> [String: StoredTreeReading] {
    do {
      let trees = try await database.perform { try TreeReader(db: $0).trees(roots.map(\.sequence)) }
      return Dictionary(roots.compactMap { root in trees[root.sequence].map { (root.name, $0) } }, uniquingKeysWith: { $1 })
    } catch {
      throw JournalError(error)
    }
  }

  /// Waits for what is being written, closes the database, and lets another daemon have the directory. What is stored after that is
  /// refused.
  public func close() {
    let isClosed = DispatchSemaphore(value: 0)
    commits.end(.closed)
    database.thread.post { [database, commits] in
      database.assumeIsolated { database in
        _ = database.write(commits.takeAll())
        database.close()
      }
      isClosed.signal()
    }
    isClosed.wait()
  }
}
