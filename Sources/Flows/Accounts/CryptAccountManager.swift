import CoordinatorKit
import Platform

/// Checks passwords against hashes in the format of crypt(3), and counts wrong passwords.
///
/// After five wrong passwords in a row for a user name, all passwords for it are refused for 30 s, regardless of who
/// enters them. Names without an account are counted and refused in the same way, and take the same time.
public actor CryptAccountManager: AccountManager {
  /// The minimum duration of a check.
  static let leastTime = Duration.milliseconds(200)

  /// Only accessed by the single thread of `filing`, so that no other thread waits for the lock while a disk is slow.
  private let store: Lock<any AccountStore>
  private let time: any TimeSource
  /// Actor state in substance, but locked, because the thread that reads the file adds the counts of other processes.
  private let ledger: Lock<AttemptLedger>
  private var queue = VerdictQueue()
  /// A single thread, so that reads and writes do not overlap.
  private let filing: WorkLane
  /// As many threads as cores, but at least two: more would not complete any hash sooner.
  private let hashing: WorkLane

  /// Creates a manager of the accounts in a file, or of the demo account.
  ///
  /// The file is read for each check, so that changes by an administrator take effect immediately. Counts are written
  /// to it before a verdict is returned. Docs/accounts.md describes its format.
  ///
  /// - Parameters:
  ///   - file: the path of the file. Without a file, there is a single account `demo`, and counts are kept in memory.
  ///   - report: called on a separate thread with each problem that an administrator should fix, once until it is
  ///     fixed.
  public init(file: String? = nil, report: @escaping @Sendable (AccountsNotice) -> Void = { _ in }) {
    let time = SystemTime()
    let demo = MemoryAccountStore(accounts: AccountList(hashes: DemoAccount.hashes))
    self.init(store: file.map { FileAccountStore(path: $0, time: time, report: report) } ?? demo, time: time)
  }

  init(store: any AccountStore, time: any TimeSource, ledger: AttemptLedger = AttemptLedger()) {
    self.store = Lock(store)
    self.time = time
    self.ledger = Lock(ledger)
    let hashers = max(2, WorkPool.cores)
    // Enough threads for both lanes, so that slow hashing is never taken for stuck, which would lower its priority.
    let threads = WorkPool(name: "accounts", usual: hashers + 1, most: hashers + 1)
    filing = threads.lane(threads: 1)
    hashing = threads.lane(threads: hashers)
  }

  /// Checks a password.
  ///
  /// A cancelled check does not count, unless it is cancelled while its result is being written.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; otherwise ``AccountsError``, also after at least 200 ms.
  public func check(_ username: String, password: Secret) async throws -> Verdict {
    let deadline = time.elapsed + Self.leastTime
    do {
      return try await answer(username, password, deadline)
    } catch let error as AccountsError {
      try await time.sleep(until: deadline)
      throw error
    }
  }

  /// Reads the accounts, so that a daemon can report problems at startup.
  ///
  /// - Throws: ``AccountsError`` if a check would fail.
  public func verify() async throws { _ = try await account(of: "") }

  private func answer(_ username: String, _ password: Secret, _ deadline: Duration) async throws -> Verdict {
    let account = try await account(of: username)
    guard try await isAdmitted(account.name) else {
      try await time.sleep(until: deadline)
      return .tooManyAttempts
    }
    let isRight: Bool
    do {
      isRight = try await hashing.callOrFail { account.hash?.matches(password) ?? false } && account.isOpen
      try await time.sleep(until: deadline)
      try Task.checkCancellation()
    } catch {
      ledger.withLock { $0.giveBack(account.name) }
      queue.release(account.name)
      throw error
    }
    let settlement = ledger.withLock { $0.settle(account.name, isRight: isRight, at: time.elapsed) }
    queue.release(account.name)
    do {
      if !settlement.changes.isEmpty { try await keep(settlement.changes) }
    } catch let error as AccountsError {
      // A count that stays too high does not give any client a guess, and a full disk must not lock out those who could fix it.
      guard settlement.verdict == .accepted else { throw error }
    }
    return settlement.verdict
  }

  private func account(of username: String) async throws -> AccountLookup {
    try await filing.callOrFail { [store, ledger, time] in
      let account = try store.withLock { try $0.lookUp(username) }
      if !account.counted.isEmpty { ledger.withLock { $0.adopt(account.counted, at: time.elapsed) } }
      return account
    }
  }

  /// Takes a guess, and waits for one if all are taken; returns false if the name is refused.
  private func isAdmitted(_ name: AttemptName) async throws -> Bool {
    while true {
      switch ledger.withLock({ $0.admit(name, at: time.elapsed) }) {
      case .check: return true
      case .refuse: return false
      case .wait: try await queue.join(name).wait()
      }
    }
  }

  private func keep(_ changes: [AttemptName: AttemptTally]) async throws {
    try await filing.callOrFail(mustRun: true) { [store] in try store.withLock { try $0.keep(changes) } }
  }
}

extension WorkLane {
  /// Does the same as ``call(mustRun:_:)``, but throws ``AccountsError/outOfThreads`` if the system has no thread left.
  fileprivate nonisolated(nonsending) func callOrFail<Product: Sendable>(
    mustRun: Bool = false, _ body: @escaping @Sendable () throws -> Product
  ) async throws -> Product {
    do {
      return try await call(mustRun: mustRun, body)
    } catch is OutOfThreads {
      throw AccountsError.outOfThreads
    }
  }
}
