import CoordinatorKit
import FoundationEssentials
import Glibc
import Platform
import TestBus
import Testing

@testable import Accounts

@Suite("Failures of the account file", .timeLimit(.minutes(5)))
struct AccountFileFailureTests {
  let time = ManualTime()
  let file: TemporaryFile
  let manager: CryptAccountManager

  init() throws {
    file = try TemporaryFile(FileAccountTests.users)
    manager = CryptAccountManager(store: FileAccountStore(path: file.path, time: time) { _ in }, time: time)
  }

  /// Returns the error of a check; nil if the check succeeds. The check takes as long as any other.
  func failure(_ name: String = "anna", _ password: String = Hashes.password) async -> AccountsError? {
    do {
      _ = try await manager.check(name, password, in: time)
      return nil
    } catch {
      return error as? AccountsError
    }
  }

  @Test("A file that is missing, unreadable or writable by others is reported, and works again once repaired")
  func unreadableFileIsReportedUntilItIsRepaired() async throws {
    unlink(file.path)
    #expect(await failure() == .missing(file: file.path))
    mkdir(file.path, 0o700)
    #expect(await failure() == .unreadable(file: file.path, reason: "it is not a regular file"))
    rmdir(file.path)
    mkfifo(file.path, 0o600)
    #expect(await failure() == .unreadable(file: file.path, reason: "it is not a regular file"))
    unlink(file.path)
    symlink("accounts.json", file.path)
    #expect(await failure() == .unreadable(file: file.path, reason: "Too many levels of symbolic links"))
    unlink(file.path)
    try file.write(String(repeating: " ", count: AccountFile.maximumSize + 1))
    #expect(await failure() == .unreadable(file: file.path, reason: "it is larger than 8 MiB"))
    try file.write(FileAccountTests.users, mode: 0o602)
    #expect(await failure() == .writableByOthers(file: file.path))
    chmod(file.path, 0o600)
    #expect(await failure() == nil)
  }

  @Test("A damaged file is left as it is, even if it gets damaged during a check")
  func damagedFileIsLeftAsItIs() async throws {
    let damage = AccountsError.damaged(file: file.path, reason: "it is not JSON")
    let check = Task { try await manager.check("anna", password: Secret("")) }
    try await time.sleeping(1)
    try file.write("{sesame")
    time.advance(by: .milliseconds(200))
    #expect(await #expect(throws: AccountsError.self) { try await check.value } == damage)
    #expect(await failure() == damage)
    #expect(try file.text == "{sesame")
    await #expect(throws: damage) { try await manager.verify() }
    // The wrong answer was counted, and is written together with the next change.
    try file.write(FileAccountTests.users)
    #expect(try await manager.check("anna", "", in: time) == .wrong)
    #expect(try AccountDocument(text: Array(file.text.utf8)).attempts[.user("anna")]?.wrong == 2)
  }

  @Test("With an unwritable file, a wrong password is an error, and no user gets more than five guesses")
  func unwritableFileAllowsNoMoreThanFiveGuesses() async throws {
    // A directory in place of the temporary file simulates a full or read-only disk, even for root.
    let obstacle = file.folder + "/.accounts.json.new"
    mkdir(obstacle, 0o700)
    let before = try file.text
    let failure = AccountsError.countNotKept(file: file.path, reason: "File exists")
    for count in [0, 4, 5] {
      for _ in 0..<count { #expect(await self.failure("anna", "") == failure) }
      if count < 5 { #expect(try await manager.check("anna", in: time) == .accepted) }
    }
    #expect(try await manager.check("anna", in: time) == .tooManyAttempts)
    #expect(await self.failure("x", "") == failure)
    #expect(try file.text == before)
    rmdir(obstacle)
    #expect(try await manager.check("bert", "", in: time) == .wrong)
    let attempts = try AccountDocument(text: Array(file.text.utf8)).attempts
    #expect(attempts.count == 3)
    #expect(attempts[.user("anna")]?.refusedUntil != nil)
  }

  @Test("A file that stays locked fails the check after a second")
  func lockedFileFailsAfterASecond() async throws {
    let lock = try Descriptor(opening: file.path, O_RDONLY)
    #expect(try lock.lock())
    #expect(await failure("anna", "") == .countNotKept(file: file.path, reason: "another process has locked it"))
    withExtendedLifetime(lock) {}
  }

  @Test("Concurrent writers lose nothing")
  func concurrentWritersLoseNothing() async throws {
    let time = time
    let path = file.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for user in ["anna", "bert"] {
        group.addTask {
          var store = FileAccountStore(path: path, time: time) { _ in }
          for number in 1...10 {
            _ = try store.lookUp(user)
            var changes = [
              AttemptName.user(user): AttemptTally(wrong: number), .stranger("\(user) \(number)"): AttemptTally(wrong: 1),
            ]
            // A writer that cannot lock the file within a second gives up, but loses nothing.
            while true {
              do {
                try store.keep(changes)
                break
              } catch AccountsError.countNotKept {
                changes = [:]
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let attempts = try AccountDocument(text: Array(file.text.utf8)).attempts
    #expect(attempts.count == 22)
    #expect(attempts[.user("anna")]?.wrong == 10)
    #expect(attempts[.user("bert")]?.wrong == 10)
  }

  /// Accounts whose counts are stored as slowly as the test wants.
  struct SlowStore: AccountStore {
    let gate: Gate
    let kept = Lock<[AttemptName: AttemptTally]>([:])
    private let accounts = AccountList(hashes: ["anna": Hashes.bcrypt])

    init(gate: Gate) { self.gate = gate }

    func lookUp(_ username: String) -> AccountLookup { accounts.lookUp(username, hasher: NameHasher()) }

    func keep(_ changes: [AttemptName: AttemptTally]) {
      gate.block()
      kept.withLock { $0 = changes }
    }
  }

  @Test("A slow file does not delay a cancelled caller, and the write that has begun still counts")
  func slowFileDoesNotDelayCancellation() async throws {
    let store = SlowStore(gate: Gate())
    let manager = CryptAccountManager(store: store, time: time)
    let check = Task { try await manager.check("anna", password: Secret("")) }
    try await time.sleeping(1)
    time.advance(by: .milliseconds(200))
    try await store.gate.reached()
    check.cancel()
    await #expect(throws: CancellationError.self) { try await check.value }
    store.gate.open()
    try await manager.verify()
    #expect(store.kept.withLock(\.self) == [.user("anna"): AttemptTally(wrong: 1)])
  }

  @Test("Rule 8: No error names a password or a hash")
  func errorsNameNoPasswordOrHash() {
    let errors: [AccountsError] = [
      .missing(file: "F"), .unreadable(file: "F", reason: "R"), .damaged(file: "F", reason: "R"), .writableByOthers(file: "F"),
      .countNotKept(file: "F", reason: "R"), .outOfThreads,
    ]
    for error in errors { #expect(!"\(error)".contains("$") && (error == .outOfThreads || "\(error)".contains("F"))) }
  }
}
