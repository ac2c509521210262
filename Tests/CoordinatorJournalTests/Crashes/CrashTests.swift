import CoordinatorKit
import Foundation
import TestBus
import Testing

@testable import CoordinatorJournal

@Suite("Rule 10: Processes that write a journal", .timeLimit(.minutes(5)))
struct CrashTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  /// Returns the stored count of each tree.
  private func counts() async throws -> [String: Int] {
    let journal = try shelf.open()
    #expect(journal.notices.isEmpty)
    var counts: [String: Int] = [:]
    for tree in try await journal.wholeTrees(of: journal.roots().live).values {
      let state = try #require(tree.coordinators.first?.state)
      counts[tree.root.text] = try JSONDecoder().decode([String: Int].self, from: Data(state.utf8))["count"]
    }
    return counts
  }

  @Test(
    "Rule 10: A killed process has stored all that it answered, and at most one more transition of each tree",
    arguments: [1, 3, 16])
  func killedProcessLosesNoAnswer(_ trees: Int) async throws {
    let writer = try await Writer(in: shelf.directory, trees: trees)
    _ = try await writer.ask("run", lines: 300)
    let answered = await writer.kill()
    let stored = try await counts()
    #expect(stored.count == trees)
    #expect(answered.values.reduce(0, +) >= 100)
    for (name, count) in stored {
      let answered = answered[name] ?? 0
      #expect(count == answered || count == answered + 1, "\(name)")
    }
  }

  @Test("Rule 10: A process refuses transitions while the disk is full and continues when there is room again")
  func fullDiskRefusesUntilThereIsRoom() async throws {
    let writer = try await Writer(in: shelf.directory, trees: 1)
    #expect(try await writer.ask("count") == ["tally_1 1"])
    writer.tell("limit 4096")
    for _ in 0..<3 {
      let answer = try await writer.ask("count")
      #expect(answer.first?.hasPrefix("refused notStored(") == true, "\(answer)")
    }
    writer.tell("limit none")
    // The journal tries the disk again after a second.
    var answer: [String] = []
    try await poll {
      answer = try await writer.ask("count")
      return answer.first?.hasPrefix("refused") != true
    }
    #expect(answer == ["tally_1 2"])
    _ = await writer.kill()
    #expect(try await counts() == ["tally_1": 2])
  }
}
