import CoordinatorKit
import Dispatch
import Platform
import SQLite

/// The durable state of a daemon: a database in a dedicated directory. Each transition is stored whole or not at all, and the
/// transitions of many trees share a commit (rule 10).
///
/// A journal may be used from any thread. Storing and reading suspend the caller; only opening and closing block the calling
/// thread.
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

  /// Opens the journal in a directory, or creates it. A database of another program, or one whose damage is found at once, is
  /// moved aside. The check of the whole database happens when ``roots()`` is called.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - configuration: the directory and the settings.
  ///   - notify: called at once with notices for administrators, on any thread.
  /// - Throws: ``JournalError`` if the directory or the database is in use or cannot be used. It is left unchanged then.
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

  /// Ends a held tree. Unreadable columns of the root's own row are replaced.
  ///
  /// - Parameters:
  ///   - root: the root as returned by ``roots()``; for a damaged one, ``DamagedRoot/asEnded``.
  ///   - change: the change that ends the tree. The journal chooses the number of its request.
  /// - Throws: ``JournalError`` if the end cannot be stored.
  public func end(_ root: StoredRoot, _ change: StoredChange) async throws(JournalError) {
    try await commits.store(root.sequence, isEnd: true) { .endOfHeld(root, change) }
  }

  /// Forgets the outcome of a token's flow, so that the token can be used again.
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

  // MARK: Closed flows

  /// Records that flows run as root, so that the next daemon closes their trees, also if another program serves these flows then. Returns at once;
  /// no tree that is started later is stored before. If it cannot be stored, there is a notice.
  ///
  /// - Parameter flows: the names of the flows.
  package func close(_ flows: Set<String>) {
    guard !flows.isEmpty else { return }
    database.thread.post { [self] in
      do {
        try database.assumeIsolated { database in
          for flow in flows.sorted() {
            try database.perform { try $0.run("INSERT OR IGNORE INTO closed (flow) VALUES (?)", .text(flow)) }
          }
        }
      } catch {
        notify(.closedNotKept(JournalError(error).description))
      }
    }
  }

  // MARK: Time

  /// Returns the start of the machine, with the first reading of the clocks since then by a daemon with this journal. Durations
  /// that were begun before the restart continue from it, however the clock is set later.
  ///
  /// - Parameter moment: the current reading. It is stored if it is the first.
  /// - Returns: the start. If it cannot be read or stored, there is a notice, and the current reading counts as the first.
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

  /// Records that the machine is running, so that this time counts after its next start. Returns at once; if it cannot be
  /// stored, there is a notice.
  ///
  /// - Parameter time: the current time by the monotonic clock.
  package func note(_ time: ElapsedTime) {
    database.thread.post { [self] in
      do {
        try database.assumeIsolated { try $0.perform { try MachineTable(db: $0).note(time) } }
      } catch {
        timeIsNotKept(error)
      }
    }
  }

  /// Reports the reason, once.
  private func timeIsNotKept(_ error: any Error) {
    let notice = JournalNotice.timeNotKept(JournalError(error).description)
    if !notices.contains(notice) { notify(notice) }
  }

  // MARK: Trees

  /// Reads the trees of live roots.
  ///
  /// - Parameter roots: the roots as returned by ``roots()``.
  /// - Returns: the trees by the names of their roots. Trees that have ended meanwhile are omitted.
  /// - Throws: ``JournalError`` if they cannot be read now, which reveals nothing about the stored data.
  public func trees(of roots: [StoredRoot]) async throws(JournalError) -> [String: StoredTreeReading] {
    do {
      let trees = try await database.perform { try TreeReader(db: $0).trees(roots.map(\.sequence)) }
      return Dictionary(roots.compactMap { root in trees[root.sequence].map { (root.name, $0) } }, uniquingKeysWith: { $1 })
    } catch {
      throw JournalError(error)
    }
  }

  /// Writes pending commits, closes the database, and releases the directory for another daemon. Later attempts to store are
  /// refused.
  ///
  /// Blocks the calling thread until all of this is done.
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

/// A notice about a journal for administrators.
public enum JournalNotice: Sendable, Hashable, CustomStringConvertible {
  /// The database was damaged or belonged to another program. It was moved aside, and an empty one has taken its place.
  case movedAside(file: String, to: String, reason: String)
  /// A row that belongs to no tree contains values that a journal never writes. It is left unchanged.
  case strayRow(String)
  /// The table with the starts of the machine cannot be read or written now. The value is the reason.
  case timeNotKept(String)
  /// Which flows run as root cannot be written now. The value is the reason.
  case closedNotKept(String)

  /// A human-readable message.
  public var description: String {
    switch self {
    case .movedAside(let file, let aside, let reason):
      "\(file) is unusable (\(reason)): it was moved to \(aside), and the daemon starts without flows"
    case .strayRow(let row): "cannot read \(row); left unchanged"
    case .timeNotKept(let reason):
      """
      cannot read or store how long the machine has run (\(reason)): if it is started anew and its clock is wrong, timeouts and \
      timers may take longer
      """
    case .closedNotKept(let reason):
      """
      cannot store which flows run as root (\(reason)): after a restart, all may see their results once nobody serves them; \
      a rule in the configuration (Users= in [Flow NAME]) prevents this
      """
    }
  }

  /// Whether stored data is missing now.
  public var isLoss: Bool {
    switch self {
    case .movedAside, .strayRow: true
    case .timeNotKept, .closedNotKept: false
    }
  }
}

/// The location and the settings of a journal.
public struct JournalConfiguration: Sendable, Hashable {
  /// The event that a commit waits for. Source: SQLite, `PRAGMA synchronous`.
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
  /// The event that a commit waits for.
  public var sync: Sync
  /// The maximum number of ended roots that are remembered.
  public var maxOutcomes: Int
  /// The number of transitions that the history keeps; 0 for no history.
  public var maxHistory: Int
  /// A description of the process that uses the directory, for other processes that want to use it; see
  /// ``Journal/holder(of:)``. The daemon sets it to the bus that it serves.
  public var holder = ""

  /// Creates a configuration.
  public init(directory: String, sync: Sync = .full, maxOutcomes: Int = 1_000, maxHistory: Int = 100_000) {
    self.directory = directory
    self.sync = sync
    self.maxOutcomes = maxOutcomes
    self.maxHistory = maxHistory
  }
}

/// An error in opening a journal, or in storing or reading data.
public enum JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The directory cannot be created, or is not private to this user.
  case directory(String, reason: String)
  /// Another daemon uses the directory.
  case inUse(directory: String)
  /// A newer version of this program has migrated the database.
  case newer(file: String)
  /// There is no journal, or this process may not read it.
  case noJournal(file: String, reason: String)
  /// The database cannot be opened or read now, which reveals nothing about its contents.
  case cannotOpen(file: String, reason: String)
  /// The database is damaged, and stays where it is because no new one can be created.
  case cannotReplace(file: String, damage: String, reason: String)
  /// The disk or the user's quota is full. The value is the reason.
  case full(String)
  /// Another program has locked the database.
  case busy
  /// Reading or writing failed, which reveals nothing about the stored data.
  case unavailable(String)
  /// The database refused a statement: it is read-only, or its contents contradict the statement.
  case database(String)
  /// A transition contains a value that cannot be encoded.
  case cannotEncode(String)
  /// A commit failed in such a way that only the next start can tell whether it is on the disk.
  case inDoubt(String)
  /// The journal is closed.
  case closed

  /// A human-readable message with the cause and the next step.
  public var description: String {
    switch self {
    case .directory(let path, let reason):
      "cannot use the state directory \(path): \(reason); give another one with --state-dir, or use --ephemeral to store nothing"
    case .inUse(let path): "another daemon uses the state directory \(path); stop it, or give another one with --state-dir"
    case .newer(let file):
      "\(file) was written by a newer version; install that version, or give another directory with --state-dir"
    case .noJournal(let file, let reason): "cannot read the journal \(file): \(reason)"
    case .cannotOpen(let file, let reason):
      """
      cannot currently read \(file): \(reason); the file is unchanged: check the disk and start again, or give another directory \
      with --state-dir
      """
    case .cannotReplace(let file, let damage, let reason):
      """
      \(file) is damaged (\(damage)) and cannot be replaced: \(reason); the file is unchanged: free disk space or move the file, \
      and start again
      """
    case .full(let reason): "the disk is full (\(reason)); free some space"
    case .busy: "another program has locked the journal"
    case .unavailable(let reason), .database(let reason): reason
    case .cannotEncode(let reason): "the flow's state cannot be encoded: \(reason)"
    case .inDoubt(let reason): "the contents of the disk are unknown: \(reason)"
    case .closed: "the journal is closed"
    }
  }
}

extension JournalError {
  /// Creates the journal error for an error of the database.
  init(_ error: any Error) {
    switch error {
    case let error as JournalError: self = error
    case let error as SQLiteError:
      switch error.kind {
      case .full: self = .full(error.description)
      case .busy: self = .busy
      case .unavailable, .cannotOpen: self = .unavailable(error.description)
      case .readOnly, .damaged, .otherTables, .constraint, .other: self = .database(error.description)
      }
    default: self = .database(String(describing: error))
    }
  }
}
