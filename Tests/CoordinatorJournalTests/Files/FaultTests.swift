import CoordinatorKit
import Foundation
import Platform
import Testing

@testable import CoordinatorJournal

@Suite("Rule 10: Disk faults", .timeLimit(.minutes(5)))
struct FaultTests {
  let shelf: Shelf

  init() throws {
    DiskFault.install()
    shelf = try Shelf()
  }

  private func fill(_ count: UInt64) async throws {
    let journal = try shelf.open()
    for number in 1...count {
      let root = StoredRoot.sample("counter_\(number)", number)
      try await journal.start(root)
      try await journal.store(.sample(root.name, revision: 2, state: String(repeating: "x", count: 3_000)), of: root)
    }
    journal.close()
  }

  // MARK: Reading

  @Test("Rule 10: A failed read is never taken for damage, and everything is there when the disk works again")
  func failedReadIsNeverDamage() async throws {
    try await fill(12)
    var skip: Int32 = 0
    while true {
      let fault = DiskFault(shelf.directory, .read, skip: skip)
      var failed = false
      do {
        let journal = try shelf.open()
        defer { journal.close() }
        let roots = try await journal.roots()
        _ = try await journal.trees(of: roots.live)
        #expect(roots.live.count == 12)
        #expect(roots.damaged.isEmpty)
      } catch {
        failed = true
        switch error {
        case JournalError.cannotOpen, JournalError.unavailable: break
        default: Issue.record("after \(skip) reads: \(error)")
        }
      }
      #expect(try shelf.files().allSatisfy { !$0.contains("damaged") && !$0.contains(".new") })
      if fault.count == 0 { break }
      #expect(failed, "after \(skip) reads nothing was said")
      skip += 1
    }
    #expect(skip > 20)
    let journal = try shelf.open()
    #expect(journal.notices.isEmpty)
    let roots = try await journal.roots()
    #expect(try await journal.wholeTrees(of: roots.live).count == 12)
  }

  @Test("Rule 10: A single failed read anywhere loses nothing")
  func oneFailedReadLosesNothing() async throws {
    try await fill(12)
    for skip in Int32(0)... {
      let fault = DiskFault(shelf.directory, .read, skip: skip, times: 1)
      if let journal = try? shelf.open() {
        _ = try? await journal.roots()
        journal.close()
      }
      if fault.count == 0 { break }
    }
    let journal = try shelf.open()
    #expect(journal.notices.isEmpty)
    #expect(try await journal.roots().live.count == 12)
  }

  @Test(
    "Rule 10: A read error that SQLite reports in an integrity check is distinguished from damage",
    arguments: [
      ("Tree 5 page 77: unable to get the page. error code=8458", 8_458),
      ("*** in database main ***\nPage 9: btreeInitPage() returns error code=11", 11), ("row 3 missing from index", nil),
    ] as [(String, Int32?)])
  func readErrorInVerdictIsRecognized(_ text: String, _ code: Int32?) { #expect(JournalCheck.errorCode(in: text) == code) }

  // MARK: Opening

  @Test(
    "Rule 10: A brief failure to open a file for writing does not leave a daemon that refuses changes", arguments: ["", "-wal"])
  func briefOpenFailureIsOvercome(_ suffix: String) async throws {
    try await fill(1)
    let fault = DiskFault(shelf.database + suffix, .openToWrite, times: 1)
    let journal = try shelf.open()
    #expect(fault.count == 1)
    try await journal.start(.sample("late", 9))
    #expect(try await journal.roots().live.count == 2)
    #expect(journal.notices.isEmpty)
  }

  @Test("Rule 10: A journal that can never be opened for writing refuses to start with a clear error")
  func permanentOpenFailurePreventsStart() async throws {
    try await fill(1)
    var fault: DiskFault? = DiskFault(shelf.database, .openToWrite)
    #expect {
      _ = try shelf.open()
    } throws: { error in
      if case JournalError.cannotOpen(let file, _) = error { file == shelf.database } else { false }
    }
    #expect((fault?.count ?? 0) > 0)
    fault = nil
    #expect(try await shelf.open().roots().live.count == 1)
  }

  // MARK: Writing

  /// Returns the live roots of a journal, read from the files that a kill would leave.
  private func names(in journal: Journal) async throws -> [String] {
    try await shelf.copy(of: journal).open().roots().live.map(\.name)
  }

  @Test("Rule 10: A commit whose sync failed is void: a refused transition does not reappear after a kill")
  func commitWithFailedSyncIsVoid() async throws {
    let journal = try Journal(JournalConfiguration(directory: shelf.directory))
    try await journal.start(.sample("a", 1))
    let fault = DiskFault(shelf.path("journal.sqlite-wal"), .sync, times: 1)
    await #expect(throws: JournalError.self) { try await journal.start(.sample("b", 2)) }
    #expect(fault.count == 1)
    #expect(try await names(in: journal) == ["a"])
    try await journal.start(.sample("c", 3))
    #expect(try await names(in: journal) == ["a", "c"])
  }

  @Test("Rule 10: If syncs keep failing, an uncertain commit stays unanswered and later ones are refused")
  func permanentSyncFailureBreaksJournal() async throws {
    let journal = try Journal(JournalConfiguration(directory: shelf.directory))
    try await journal.start(.sample("a", 1))
    let fault = DiskFault(shelf.path("journal.sqlite-wal"), .sync)
    let answered = Lock(false)
    let root = StoredRoot.sample("b", 2)
    journal.commits.add(
      PendingCommit(tree: 2, encode: { .start(root, .sample("b", revision: 1)) }) { _ in answered.withLock { $0 = true } })
    let reason = try #require(await journal.breakdowns.first { _ in true })
    guard case .inDoubt = reason else {
      Issue.record("\(reason)")
      return
    }
    await #expect(throws: JournalError.closed) { try await journal.start(.sample("c", 3)) }
    #expect(answered.withLock { !$0 })
    #expect(fault.count >= 2)
  }

  @Test("Rule 10: A failed write of a commit changes nothing, and the next commit is stored")
  func failedWriteChangesNothing() async throws {
    let journal = try shelf.open()
    try await journal.start(.sample("a", 1))
    let fault = DiskFault(shelf.path("journal.sqlite-wal"), .write, times: 1)
    await #expect(throws: JournalError.self) { try await journal.start(.sample("b", 2)) }
    #expect(fault.count == 1)
    try await journal.start(.sample("c", 3))
    #expect(try await names(in: journal) == ["a", "c"])
  }

  // MARK: No room

  @Test(
    "Rule 10: On a full disk, flows can end in reserved space, and others are refused without trying the disk")
  func fullDiskAllowsOnlyEndingFlows() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("a", 1)
    try await journal.start(root)
    #expect(try shelf.size("reserve") == SpaceReserve.size)
    var fault: DiskFault? = DiskFault(shelf.path("journal.sqlite-wal"), .write, number: ENOSPC)
    let start = ContinuousClock.now
    for number in UInt64(2)...50 {
      await #expect {
        try await journal.start(.sample("b", number))
      } throws: { error in
        if case JournalError.full = error { true } else { false }
      }
    }
    // One attempt at once, and at most one more for each second that the loop took. Each may fail twice: before and
    // after the checkpoint of the log.
    let attempts = Int((ContinuousClock.now - start) / .seconds(1)) + 1
    #expect((1...2 * attempts).contains(fault?.count ?? 0))
    fault = DiskFault(shelf.path("journal.sqlite-wal"), .write, times: 2, number: ENOSPC)
    try await journal.end(root)
    // One fault before and one after the checkpoint of the log into the database.
    #expect(fault?.count == 2)
    #expect(try shelf.size("reserve") == 0)
    fault = nil
    #expect(try await journal.roots().live.isEmpty)
  }

  @Test("Rule 10: A full disk does not prevent a start if a journal already exists")
  func fullDiskDoesNotPreventStart() async throws {
    try await fill(3)
    let fault = DiskFault(shelf.directory, .write, number: ENOSPC)
    let journal = try shelf.open()
    #expect(try await journal.roots().live.count == 3)
    await #expect(throws: JournalError.self) { try await journal.start(.sample("late", 9)) }
    #expect(fault.count > 0)
    #expect(journal.notices.isEmpty)
  }

  @Test("Rule 10: A damaged database stays in place until there is room for a new one, and is then moved aside")
  func damagedDatabaseWaitsForRoom() async throws {
    try await fill(3)
    try shelf.damage { $0.replaceSubrange(2_048..<4_096, with: Data(repeating: 0xA5, count: 2_048)) }
    let before = FileManager.default.contents(atPath: shelf.database)
    var fault: DiskFault? = DiskFault(shelf.path("journal.sqlite.new"), .write, number: ENOSPC)
    do {
      let journal = try shelf.open()
      defer { journal.close() }
      _ = try await journal.roots()
      Issue.record("it started")
    } catch JournalError.cannotReplace(let file, _, _) {
      #expect(file == shelf.database)
    }
    #expect((fault?.count ?? 0) > 0)
    #expect(FileManager.default.contents(atPath: shelf.database) == before)
    #expect(try shelf.files().allSatisfy { !$0.contains("damaged") && !$0.contains(".new") })
    fault = nil
    let journal = try shelf.open()
    #expect(try await journal.roots() == StoredRoots())
    #expect(journal.notices.count == 1)
  }
}
