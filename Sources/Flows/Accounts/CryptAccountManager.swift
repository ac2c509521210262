import CoordinatorKit
import Glibc
import Locking

/// Checks passwords against hashes in the form of crypt(3), and counts wrong answers.
///
/// After five wrong answers in a row for a user name, all answers for it are refused for 30 s, whoever gives them. Names that nobody
/// has are counted and refused in the same way, and take the same time.
public actor CryptAccountManager: AccountManager {
  /// How long a check takes at least.
  static let leastTime = Duration.milliseconds(200)

  /// Touched by the one thread of `filing` alone: nobody ever waits for the lock, however long a disk takes.
  private let store: Lock<any AccountStore>
  private let time: any TimeSource
  /// Actor state but for the lock: the thread that reads the file adds what others counted.
  private let ledger: Lock<AttemptLedger>
  private var queue = VerdictQueue()
  /// One thread, so that reading and writing come one after the other.
  private let filing = WorkerThreads(name: "accounts-file", limit: 1)
  /// As many as there are cores: more would make no hash ready sooner.
  private let hashing = WorkerThreads(name: "accounts-hash", limit: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// A manager of the accounts in a file, or of the demo account.
  ///
  /// The file is read for each check: what an admin changes in it counts at once. Counts are written to it before an answer is given.
  /// See Docs/accounts.md for what it says.
  ///
  /// - Parameters:
  ///   - file: where the file is. Without one there is the single account `demo`, and counts are kept in memory.
  ///   - report: is told what an admin should see to, from a thread of its own, and each thing once until it has been seen to.
  public init(file: String? = nil, report: @escaping @Sendable (AccountsNotice) -> Void = { _ in }) {
    let time = SystemTime()
    let demo = MemoryAccountStore(accounts: AccountList(hashes: DemoAccount.hashes))
    self.init(store: file.map { FileAccountStore(path: $0, time: time, report: report) } ?? demo, time: time)
  }

  init(store: any AccountStore, time: any TimeSource, ledger: AttemptLedger = AttemptLedger()) {
    self.store = Lock(store)
    self.time = time
    self.ledger = Lock(ledger)
  }

  /// Checks a password.
  ///
  /// A check that is cancelled counts as little as one that never was, except in the moment in which its answer is being written down.
  public func check(_ username: String, password: Secret) async throws -> Verdict {
    let deadline = time.elapsed + Self.leastTime
    do {
      return try await answer(username, password, deadline)
    } catch let error as AccountsError {
      try await time.sleep(until: deadline)
      throw error
    }
  }

  /// Reads the accounts, to find out whether that works: a daemon that starts can say so at once.
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
      isRight = try await hashing.run { account.hash?.matches(password) ?? false } && account.isOpen
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
      // A count that stays too high gives nobody a guess; and a full disk must not keep out those who could clear it up.
      guard settlement.verdict == .accepted else { throw error }
    }
    return settlement.verdict
  }

  private func account(of username: String) async throws -> AccountLookup {
    try await filing.run { [store, ledger, time] in
      let account = try store.withLock { try $0.lookUp(username) }
      if !account.counted.isEmpty { ledger.withLock { $0.adopt(account.counted, at: time.elapsed) } }
      return account
    }
  }

  /// Takes a guess, and waits for one if all are taken; false if the name is refused.
  private func isAdmitted(_ name: AttemptName) async throws -> Bool {
    while true {
      switch ledger.withLock({ $0.admit(name, at: time.elapsed) }) {
      case .check: return true
      case .refuse: return false
      case .wait: try await queue.join(name).value()
      }
    }
  }

  private func keep(_ changes: [AttemptName: AttemptTally]) async throws {
    try await filing.run(mustRun: true) { [store] in try store.withLock { try $0.keep(changes) } }
  }
}
