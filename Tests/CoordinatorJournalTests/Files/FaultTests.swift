import CoordinatorKit
import Foundation
import Locking
import Testing

@testable import CoordinatorJournal

@Suite("Rule 10: a disk that fails", .timeLimit(.minutes(1)))
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

  @Test("to read is never taken for damage: whichever read fails, all is there when it works again")
  func reading() async throws {
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

  @Test("to read once, wherever, loses nothing")
  func readingOnce() async throws {
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
    "is told from damage where SQLite says both in a verdict",
    arguments: [
      ("Tree 5 page 77: unable to get the page. error code=8458", 8_458),
      ("*** in database main ***\nPage 9: btreeInitPage() returns error code=11", 11), ("row 3 missing from index", nil),
    ] as [(String, Int32?)])
  func verdict(_ text: String, _ code: Int32?) { #expect(JournalCheck.errorCode(in: text) == code) }

  // MARK: Opening

  @Test("to open a file for writing, for a moment, does not leave a daemon that refuses every change", arguments: ["", "-wal"])
  func openingOnce(_ suffix: String) async throws {
    try await fill(1)
    let fault = DiskFault(shelf.database + suffix, .openToWrite, times: 1)
    let journal = try shelf.open()
    #expect(fault.count == 1)
    try await journal.start(.sample("late", 9))
    #expect(try await journal.roots().live.count == 2)
    #expect(journal.notices.isEmpty)
  }

  @Test("to open a file for writing at all is a reason not to start, which is said")
  func openingForEver() async throws {
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

  /// Whether a start was stored, of a journal that is opened from what a kill would leave.
  private func names(in journal: Journal) async throws -> [String] {
    try await shelf.copy(of: journal).open().roots().live.map(\.name)
  }

  @Test("to sync a commit has the commit be void: what was refused does not come back after a kill")
  func syncing() async throws {
    let journal = try Journal(JournalConfiguration(directory: shelf.directory))
    try await journal.start(.sample("a", 1))
    let fault = DiskFault(shelf.path("journal.sqlite-wal"), .sync, times: 1)
    await #expect(throws: JournalError.self) { try await journal.start(.sample("b", 2)) }
    #expect(fault.count == 1)
    #expect(try await names(in: journal) == ["a"])
    try await journal.start(.sample("c", 3))
    #expect(try await names(in: journal) == ["a", "c"])
  }

  @Test("to sync at all breaks the journal: what may be on the disk is not answered, what cannot be is refused")
  func syncingForEver() async throws {
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

  @Test("to write a commit changes nothing, and the next one is stored")
  func writing() async throws {
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
    "for want of room lets flows be ended with what it keeps back for that, and refuses all else without asking the disk again")
  func noRoom() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("a", 1)
    try await journal.start(root)
    #expect(try shelf.size("reserve") == SpaceReserve.size)
    var fault: DiskFault? = DiskFault(shelf.path("journal.sqlite-wal"), .write, number: ENOSPC)
    for number in UInt64(2)...50 {
      await #expect {
        try await journal.start(.sample("b", number))
      } throws: { error in
        if case JournalError.full = error { true } else { false }
      }
    }
    // One try, and perhaps another one if all that took longer than a second.
    #expect((1...10).contains(fault?.count ?? 0))
    fault = DiskFault(shelf.path("journal.sqlite-wal"), .write, times: 2, number: ENOSPC)
    try await journal.end(root)
    // Before and after what was in the log was brought into the database.
    #expect(fault?.count == 2)
    #expect(try shelf.size("reserve") == 0)
    fault = nil
    #expect(try await journal.roots().live.isEmpty)
  }

  @Test("for want of room is no reason not to start, once there was a daemon")
  func startsWithoutRoom() async throws {
    try await fill(3)
    let fault = DiskFault(shelf.directory, .write, number: ENOSPC)
    let journal = try shelf.open()
    #expect(try await journal.roots().live.count == 3)
    await #expect(throws: JournalError.self) { try await journal.start(.sample("late", 9)) }
    #expect(fault.count > 0)
    #expect(journal.notices.isEmpty)
  }

  @Test("a damaged database stays where it is while there is no room for another, and is moved when there is")
  func noRoomToReplace() async throws {
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
