import CoordinatorKit
import Platform
import SQLite

/// Writes batches of transitions, if possible with one commit per batch.
struct CommitWriter {
  /// The error for transitions that may or may not be on the disk. They must not be answered.
  struct InDoubt: Error {
    /// The underlying error.
    let reason: JournalError
  }

  private typealias Encoded = (commit: PendingCommit, step: PendingCommit.Step)

  private let configuration: JournalConfiguration
  private var reserve: SpaceReserve
  private var fullDisk = FullDisk()

  init(_ configuration: JournalConfiguration, _ reserve: SpaceReserve) {
    self.configuration = configuration
    self.reserve = reserve
  }

  /// Stores transitions and calls the completion of each.
  ///
  /// - Throws: ``InDoubt``. The completions of the transitions in doubt, and of those after them, are not called then.
  mutating func write(_ batch: [PendingCommit], in db: SQLiteDatabase) throws(InDoubt) {
    let encoded = encode(admitted(batch))
    guard !encoded.isEmpty else { return }
    let result = try commit(encoded, in: db)
    guard encoded.count > 1, case .failure(let error) = result else {
      for one in encoded { one.commit.completion(result) }
      return
    }
    for one in encoded {
      one.commit.completion(isWorthAnotherTry(one.commit, after: error) ? try commit([one], in: db) : result)
    }
  }

  /// Returns whether a transition should be stored separately after its batch failed. A transition that cannot be stored must
  /// not affect others that happened to arrive with it; conditions that affect all of them are not checked again for each.
  private func isWorthAnotherTry(_ commit: PendingCommit, after error: JournalError) -> Bool {
    switch error {
    case .busy: false
    case .full: commit.isEnd
    default: true
    }
  }

  /// Refuses transitions at once if the disk was full a moment ago.
  private func admitted(_ batch: [PendingCommit]) -> [PendingCommit] {
    guard fullDisk.isKnown else { return batch }
    let now = ContinuousClock.now
    return batch.filter { commit in
      if fullDisk.admits(isEnd: commit.isEnd, at: now) { return true }
      commit.completion(.failure(.full("it was full a moment ago")))
      return false
    }
  }

  private func encode(_ batch: [PendingCommit]) -> [Encoded] {
    batch.compactMap { commit in
      do {
        return (commit, try commit.encode())
      } catch {
        commit.completion(.failure(.cannotEncode(String(describing: error))))
        return nil
      }
    }
  }

  // MARK: One commit

  private mutating func commit(_ encoded: [Encoded], in db: SQLiteDatabase) throws(InDoubt) -> Result<Void, JournalError> {
    let isEnd = encoded.allSatisfy(\.commit.isEnd)
    var result = try attempt(encoded, in: db)
    if case .failure(.full) = result {
      fullDisk.noRoom()
      // A checkpoint frees the room that the log takes up.
      if (try? db.bringIn()) != nil { result = try attempt(encoded, in: db) }
      // Users must be able to make room by ending flows.
      if case .failure(.full) = result, isEnd, reserve.release() { result = try attempt(encoded, in: db) }
    }
    if case .success = result, !isEnd || !fullDisk.isKnown {
      fullDisk.hasRoom()
      reserve.fill()
    }
    return result
  }

  private func attempt(_ encoded: [Encoded], in db: SQLiteDatabase) throws(InDoubt) -> Result<Void, JournalError> {
    let writer = TreeWriter(db: db, limits: configuration)
    do {
      try db.transaction {
        for (commit, step) in encoded {
          switch step {
          case .start(let root, let change): try writer.start(root, change)
          case .change(let change): try writer.apply(change, to: commit.tree)
          case .endOfHeld(let root, let change): try writer.end(root, change)
          case .forget(let token): try writer.forget(token)
          }
        }
      }
      return .success(())
    } catch {
      let reason = JournalError(error.reason)
      if error.isInDoubt { try makeVoid(in: db, after: reason) }
      return .failure(reason)
    }
  }

  /// Ensures that a failed commit does not reappear at the next start, as it would if all of it had reached the log.
  ///
  /// SQLite has reset the log to the position before the failed commit, so another commit overwrites its beginning, without
  /// which the rest is not read.
  private func makeVoid(in db: SQLiteDatabase, after reason: JournalError) throws(InDoubt) {
    do {
      try db.transaction {
        try db.run(
          "INSERT INTO counter (name, value) VALUES ('voided', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1")
      }
    } catch {
      throw InDoubt(reason: reason)
    }
  }
}

/// Decides which commits to attempt while the disk is full: those that end a flow, which frees room, and any other once
/// a second.
///
/// A value type without side effects.
struct FullDisk: Sendable {
  /// How long only ends are attempted after the disk was found to be full.
  static let pause = Duration.seconds(1)

  private var nextTry: ContinuousClock.Instant?

  /// Whether the disk was full at the last attempt.
  var isKnown: Bool { nextTry != nil }

  /// Returns whether a commit should be attempted.
  ///
  /// - Parameters:
  ///   - isEnd: whether the commit ends a flow.
  ///   - now: the current time.
  /// - Returns: false if the commit should be refused at once.
  func admits(isEnd: Bool, at now: @autoclosure () -> ContinuousClock.Instant = .now) -> Bool {
    guard let nextTry, !isEnd else { return true }
    return now() >= nextTry
  }

  /// Records that a commit found no room.
  mutating func noRoom(at now: ContinuousClock.Instant = .now) { nextTry = now + Self.pause }

  /// Records that a commit that did more than end flows was stored.
  mutating func hasRoom() { nextTry = nil }
}

/// A queue of transitions to be made durable, many with one commit: those that arrive during a commit go into the next
/// one.
///
/// The database's thread does the writing; adding a transition never waits for the disk. Safe to use from any thread.
final class CommitQueue: Sendable {
  private struct State {
    var pending: [PendingCommit] = []
    /// Whether the database's thread has been asked to write.
    var isAnnounced = false
    /// The reason why nothing more is stored; nil while the queue is open.
    var end: JournalError?
  }

  private let state = Lock(State())
  private let database: JournalDatabase

  init(_ database: JournalDatabase) { self.database = database }

  /// Enqueues a transition. Its completion is called, on the database's thread, once it is durable or has failed; on
  /// the caller's thread if the queue has ended.
  func add(_ commit: PendingCommit) {
    let (end, isFirst) = state.withLock { state in
      guard state.end == nil else { return (state.end, false) }
      state.pending.append(commit)
      defer { state.isAnnounced = true }
      return (nil, !state.isAnnounced)
    }
    if let end { commit.completion(.failure(end)) }
    if isFirst { announce() }
  }

  /// Makes the queue refuse transitions from now on. Pending ones remain for ``takeAll()``.
  ///
  /// - Parameter reason: the error for refused transitions.
  func end(_ reason: JournalError) { state.withLock { $0.end = $0.end ?? reason } }

  /// Removes and returns the pending transitions.
  func takeAll() -> [PendingCommit] {
    state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
  }

  /// Writes one batch per turn of the thread, so that reads are served in between.
  private func announce() {
    database.thread.post { [self] in
      if database.assumeIsolated({ $0.write(takeAll()) }) != nil {
        // The transitions after it were never attempted.
        end(.closed)
        for commit in takeAll() { commit.completion(.failure(.closed)) }
      }
      let hasMore = state.withLock { state in
        state.isAnnounced = !state.pending.isEmpty
        return state.isAnnounced
      }
      if hasMore { announce() }
    }
  }
}

/// Stores the transitions of a tree that is already stored. Small enough to fit into `any TransitionStore` without a
/// heap allocation.
struct TreeStore: TransitionStore {
  let commits: CommitQueue
  let tree: UInt64
  let catalogue: FlowCatalogue

  func commit(_ publication: Publication) async throws {
    try await commits.store(tree, isEnd: !publication.state.isAlive) { [catalogue] in
      .change(try publication.change(in: catalogue))
    }
  }
}

/// Stores the transitions of a tree that is being started, the first one along with the root's data.
struct NewTreeStore: TransitionStore {
  let commits: CommitQueue
  let root: StoredRoot
  let catalogue: FlowCatalogue

  func commit(_ publication: Publication) async throws {
    try await commits.store(root.sequence, isEnd: !publication.state.isAlive && !publication.isStart) { [root, catalogue] in
      let change = try publication.change(in: catalogue)
      return change.isStart ? .start(root, change) : .change(change)
    }
  }
}

extension CommitQueue {
  /// Enqueues a transition and waits until it is durable. Never returns if its fate is unknown; see
  /// ``JournalError/inDoubt(_:)``.
  ///
  /// - Parameters:
  ///   - tree: the id of the tree.
  ///   - isEnd: whether the transition ends the tree.
  ///   - encode: a closure that returns the rows to write, called on the database's thread.
  /// - Throws: ``JournalError``; nothing has been stored then.
  func store(
    _ tree: UInt64, isEnd: Bool = false, encode: @escaping @Sendable () throws -> PendingCommit.Step
  ) async throws(JournalError) {
    // Unsafe because it may never be resumed: a transition in doubt is never answered, and the process ends.
    try await withUnsafeContinuation { continuation in
      add(PendingCommit(tree: tree, isEnd: isEnd, encode: encode) { continuation.resume(returning: $0) })
    }.get()
  }
}

/// A transition that waits to be stored.
struct PendingCommit: Sendable {
  /// A closure that receives the result.
  typealias Completion = @Sendable (Result<Void, JournalError>) -> Void

  /// The id of the tree.
  let tree: UInt64
  /// Whether the transition ends the tree, which frees room on the disk.
  var isEnd = false
  /// Encodes the change, which is expensive.
  let encode: @Sendable () throws -> Step
  let completion: Completion

  /// The rows to write.
  enum Step: Sendable {
    case start(StoredRoot, StoredChange)
    case change(StoredChange)
    case endOfHeld(StoredRoot, StoredChange)
    /// Forget the outcome of a token's flow.
    case forget(token: String)
  }
}
