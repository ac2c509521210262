import CoordinatorKit
import Glibc
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

/// The account that is used without an account file, for demonstration.
enum DemoAccount {
  /// The user `demo`, with the password given in the documentation.
  static let hashes = ["demo": "$y$j9T$ln7EKTfxYumo4CdERiFGd.$FQKXUvIfo5mLZaGKUMpV9C0KiWAZCIe1rflCRlw39u9"]
}

/// A problem that an administrator should fix, although checks continue. Contains no password and no hash.
public enum AccountsNotice: Sendable, Hashable {
  /// The file is world-readable, so that any local user can try to guess passwords from the hashes.
  ///
  /// The file is used nevertheless: refusing it would not undo what has been read, and would lock out the owner of the
  /// device.
  case readableByOthers(file: String)
  /// A user cannot log in, because the hash is invalid, or its method is unknown or outdated.
  case unusableHash(file: String, username: String)
}

extension AccountsNotice: CustomStringConvertible {
  /// A description of the problem, and how to fix it.
  public var description: String {
    switch self {
    case .readableByOthers(let file): "every user can read the account file \(file); run: chmod o-r \(file)"
    case .unusableHash(let file, let username):
      "the user \(username) cannot log in: the hash in \(file) uses an unknown or insecure method"
    }
  }
}

/// The reason why a password could not be checked. Contains no password, no hash, and no user input.
public enum AccountsError: Error, Sendable, Hashable {
  /// The file does not exist.
  case missing(file: String)
  /// The file cannot be read.
  case unreadable(file: String, reason: String)
  /// The content of the file is invalid. The file is left unchanged.
  case damaged(file: String, reason: String)
  /// The file is world-writable, so its content cannot be trusted.
  case writableByOthers(file: String)
  /// The number of wrong passwords cannot be written to the file. Counting continues in memory.
  case countNotKept(file: String, reason: String)
  /// The system could not create a thread for the check.
  case outOfThreads
}

extension AccountsError: CustomStringConvertible {
  /// A description of the problem that an administrator can act on.
  public var description: String {
    switch self {
    case .missing(let file): "there is no account file \(file)"
    case .unreadable(let file, let reason): "the account file \(file) cannot be read: \(reason)"
    case .damaged(let file, let reason): "the account file \(file) is damaged: \(reason)"
    case .writableByOthers(let file):
      "the account file \(file) is not used because every user can write to it; run: chmod o-w \(file)"
    case .countNotKept(let file, let reason): "failed attempts cannot be recorded in the account file \(file): \(reason)"
    case .outOfThreads: "cannot create a thread to check the password"
    }
  }
}

/// Checks the passwords of users.
///
/// ```swift
/// struct OneUser: AccountManager {
///   func check(_ username: String, password: Secret) async throws -> Verdict {
///     try await Task.sleep(for: .milliseconds(200))
///     return username == "anna" && password.withString { $0 == "open-sesame" } ? .accepted : .wrong
///   }
/// }
/// ```
public protocol AccountManager: Sendable {
  /// Called to check a password. Your implementation should take at least 200 ms whatever the verdict, and as long for
  /// a user that does not exist as for one that does.
  ///
  /// - Parameters:
  ///   - username: the name that the user entered.
  ///   - password: the password that the user entered.
  /// - Returns: the verdict.
  /// - Throws: `CancellationError` if the task is cancelled; otherwise ``AccountsError`` if the accounts cannot be read
  ///   or the number of wrong passwords cannot be stored.
  func check(_ username: String, password: Secret) async throws -> Verdict
}

/// The result of checking a password.
public enum Verdict: Sendable, Hashable {
  /// The password is correct.
  case accepted
  /// The password is wrong, or the user does not exist. Callers cannot distinguish the two.
  case wrong
  /// Too many wrong passwords were entered in a row. For some time, all passwords are refused, including the correct
  /// one.
  case tooManyAttempts
}

/// The clocks of this machine.
struct SystemTime: TimeSource {
  private let start = ContinuousClock.now

  var elapsed: Duration { start.duration(to: .now) }

  var wallClock: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  func sleep(until deadline: Duration) async throws {
    try await ContinuousClock().sleep(until: start.advanced(by: deadline))
  }
}

/// A source of time, and a way to wait. Injected, so that tests need not wait.
///
/// ```swift
/// let time = SystemTime()
/// try await time.sleep(until: time.elapsed + .milliseconds(200))
/// ```
protocol TimeSource: Sendable {
  /// The time since an arbitrary moment. Must include the time that the machine sleeps, and never decrease.
  var elapsed: Duration { get }

  /// The time of day in milliseconds since 1970. It may jump when the clock is set.
  var wallClock: Int64 { get }

  /// Called to wait. Your implementation should return as soon as `elapsed` has reached `deadline`.
  ///
  /// - Parameter deadline: the value of `elapsed` to wait for.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until deadline: Duration) async throws
}

/// The callers that wait for the verdict on another check of the same name.
struct VerdictQueue {
  private var waiting: [AttemptName: [OneTimeSignal]] = [:]

  /// Adds a caller that waits for a verdict.
  ///
  /// - Parameter name: the name that is being checked.
  /// - Returns: the signal to wait for.
  mutating func join(_ name: AttemptName) -> OneTimeSignal {
    let turn = OneTimeSignal()
    // Removes callers that were cancelled, which no longer need a turn.
    waiting[name] = (waiting[name] ?? []).filter(\.isWanted) + [turn]
    return turn
  }

  /// Resumes all callers that wait for a verdict on `name`, in order of arrival. Each asks the ledger again.
  mutating func release(_ name: AttemptName) {
    for turn in waiting.removeValue(forKey: name) ?? [] { turn.give() }
  }
}

/// The name that wrong passwords are counted for.
enum AttemptName: Sendable, Hashable {
  /// A user with an account.
  case user(String)
  /// A name without an account, as a hash, because people sometimes type passwords into the name field.
  case stranger(String)

  /// Whether the name has no account.
  var isStranger: Bool { if case .stranger = self { true } else { false } }
}

/// A signal that one task waits for, and that is given once.
final class OneTimeSignal: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  private let isOver = Lock(false)

  init() {
    continuation.onTermination = { [isOver] _ in isOver.withLock { $0 = true } }
  }

  /// Whether the signal has not been given and the waiting task has not been cancelled.
  var isWanted: Bool { !isOver.withLock(\.self) }

  /// Resumes the waiting task. Has no effect if the signal has been given before.
  func give() { continuation.finish() }

  /// Waits for the signal. Call this once.
  ///
  /// - Throws: `CancellationError` immediately if the task is cancelled.
  nonisolated(nonsending) func wait() async throws {
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
