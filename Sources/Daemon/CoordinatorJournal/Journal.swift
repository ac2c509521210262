import CoordinatorKit
import Dispatch
import Platform

/// The durable state of a daemon: a database in a directory of its own. Each transition is stored whole or not at all,
/// and the transitions of many trees share a commit (rule 10).
///
/// A journal may be used from any thread. Storing and reading suspend the caller; only opening and closing block the
/// calling thread.
public final class Journal: Sendable {
  /// The name of the database file in the directory.
  public static let fileName = "journal.sqlite"

  private let told: Lock<[JournalNotice]>
  private let notify: @Sendable (JournalNotice) -> Void
  /// The database. Tests also use it to count commits and to make them fail.
  let database: JournalDatabase
  let commits: CommitQueue

  /// The notices for administrators so far. Each was also passed to `notify` when it occurred.
  public var notices: [JournalNotice] { told.withLock { $0 } }

  /// Emits the reason, once, when nothing can be stored any more because a commit failed in such a way that only the
  /// next start can tell whether it is on the disk.
  ///
  /// That commit is never answered, so the process must end to release its callers.
  public var breakdowns: AsyncStream<JournalError> { database.breakdowns }

  /// Opens the journal in a directory, or creates it. A database of another program, or one whose damage shows at once,
  /// is moved aside. The check of the whole database happens when ``roots()`` is called.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - configuration: the directory and the settings.
  ///   - notify: called at once with notices for administrators, on any thread.
  /// - Throws: ``JournalError`` if the directory or the database is in use or cannot be used. It is left as it is then.
  public init(
    _ configuration: JournalConfiguration, notify: @escaping @Sendable (JournalNotice) -> Void = { _ in }
  ) throws(JournalError) {
    let told = Lock<[JournalNotice]>([])
    self.told = told
    self.notify = { notice in
      told.withLock { $0.append(notice) }
      notify(notice)
    }
    database = try JournalDatabase(configuration, notify: self.notify)
    commits = CommitQueue(database)
  }

  /// Returns the process that uses a directory, as it describes itself.
  ///
  /// - Parameter directory: the path of the directory.
  /// - Returns: the ``JournalConfiguration/holder`` of that process; nil if it has given none, or none yet.
  public static func holder(of directory: String) -> String? { StateDirectory.holder(of: directory) }

  // MARK: Storing

  /// Returns the store for the transitions of a new tree.
  ///
  /// - Parameters:
  ///   - root: the root's data, stored with the transition that starts the tree.
  ///   - catalogue: the catalogue that provides the versions of the flows.
  /// - Returns: the store, for this tree only.
  public func store(of root: StoredRoot, in catalogue: FlowCatalogue) -> any TransitionStore {
    NewTreeStore(commits: commits, root: root, catalogue: catalogue)
  }

  /// Returns the store for the transitions of a restored tree.
  ///
  /// - Parameters:
  ///   - root: the root as returned by ``roots()``.
  ///   - catalogue: the catalogue that provides the versions of the flows.
  /// - Returns: the store, for this tree only.
  public func store(ofRestored root: StoredRoot, in catalogue: FlowCatalogue) -> any TransitionStore {
    TreeStore(commits: commits, tree: root.sequence, catalogue: catalogue)
  }

  /// Ends a held tree. What cannot be read of the root's own row is replaced.
  ///
  /// - Parameters:
  ///   - root: the root as returned by ``roots()``; for a damaged one, ``DamagedRoot/asEnded``.
  ///   - change: the change that ends the tree. The journal chooses the number of its request.
  /// - Throws: ``JournalError`` if the end cannot be stored.
  public func end(_ root: StoredRoot, _ change: StoredChange) async throws(JournalError) {
    try await commits.store(root.sequence, isEnd: true) { .endOfHeld(root, change) }
  }

  /// Forgets how the flow of a token has ended, so that the token can be used again.
  ///
  /// - Parameter token: the token; without effect if its flow has not ended.
  /// - Throws: ``JournalError`` if that cannot be stored.
  public func forget(_ token: String) async throws(JournalError) {
    try await commits.store(0, isEnd: true) { .forget(token: token) }
  }

  // MARK: Reading

  /// Checks the whole database, and returns all roots without their trees. Call it before anything is stored. If the
  /// database is damaged, it is moved aside, and there are no roots.
  ///
  /// - Throws: ``JournalError`` if the roots cannot be read now, or no new database can be created. Nothing has been
  ///   moved then.
  public func roots() async throws(JournalError) -> StoredRoots {
    do {
      return try await database.roots()
    } catch {
      throw JournalError(error)
    }
  }

  // MARK: Time

  /// Returns the start of the machine, with the first reading of the clocks since then that a daemon with this journal has
  /// made. From it, durations go on that were begun before the start, however the clock is set later.
  ///
  /// - Parameter moment: the present reading. It is kept if it is the first.
  /// - Returns: the start. If it cannot be read or kept, there is a notice, and the present reading counts as the first.
  package func startOfMachine(now moment: Moment) async -> MachineStart {
    var known = MachineStart(moment)
    do {
      let (start, isNew) = try await database.perform { try MachineTable(db: $0).start(now: moment) }
      known = start
      if isNew { try await database.perform { try MachineTable(db: $0).store(start) } }
    } catch {
      timeIsNotKept(error)
    }
    return known
  }

  /// Notes that the machine runs, so that this time counts after its next start. Returns at once; if it cannot be stored,
  /// there is a notice.
  ///
  /// - Parameter time: the present time by the clock that nobody can set.
  package func note(_ time: ElapsedTime) {
    database.thread.post { [self] in
      do {
        try database.assumeIsolated { try $0.perform { try MachineTable(db: $0).note(time) } }
      } catch {
        timeIsNotKept(error)
      }
    }
  }

  /// Says once why.
  private func timeIsNotKept(_ error: any Error) {
    let notice = JournalNotice.timeNotKept(JournalError(error).description)
    if !notices.contains(notice) { notify(notice) }
  }

  // MARK: Trees

  /// Reads the trees of live roots.
  ///
  /// - Parameter roots: the roots as returned by ``roots()``.
  /// - Returns: the trees by the names of their roots. Trees that have ended meanwhile are left out.
  /// - Throws: ``JournalError`` if they cannot be read now, which says nothing about what is stored.
  public func trees(of roots: [StoredRoot]) async throws(JournalError) -> [String: StoredTreeReading] {
    do {
      let trees = try await database.perform { try TreeReader(db: $0).trees(roots.map(\.sequence)) }
      return Dictionary(roots.compactMap { root in trees[root.sequence].map { (root.name, $0) } }, uniquingKeysWith: { $1 })
    } catch {
      throw JournalError(error)
    }
  }

  /// Writes pending commits, closes the database, and releases the directory for another daemon. Later attempts to
  /// store are refused.
  ///
  /// Blocks the calling thread until all that is done.
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
