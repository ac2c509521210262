import CoordinatorKit
import Testing

@testable import CoordinatorJournal

@Suite("Bounds of a journal", .timeLimit(.minutes(5)))
struct BoundTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test("A journal keeps as many of a tree's newest answers as the tree itself")
  func newestAnswersOfTreeAreKept() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("counter_1", 1)
    try await journal.start(root)
    let count = UInt64(RequestLedger.capacity + 10)
    for number in 1...count {
      try await journal.store(.sample(root.name, revision: number + 1, request: number), of: root)
    }
    let numbers = try await journal.tree(of: root)?.requests.map(\.number).sorted()
    #expect(numbers == Array((count - UInt64(RequestLedger.capacity) + 1)...count))
  }

  @Test("The newest ended roots are remembered, and the answers of the forgotten ones are deleted", arguments: [0, 1, 3])
  func newestEndedRootsAreRemembered(_ limit: Int) async throws {
    var journal = try shelf.open(maxOutcomes: limit)
    for number in UInt64(1)...5 {
      let root = StoredRoot.sample("counter_\(number)", number)
      try await journal.start(root)
      try await journal.store(.sample(root.name, revision: 2, request: 1, outcome: .cancelled), of: root)
    }
    journal.close()
    journal = try shelf.open(maxOutcomes: limit)
    let roots = try await journal.roots()
    #expect(roots.ended.map(\.root.name) == [1, 2, 3, 4, 5].suffix(limit).map { "counter_\($0)" })
    #expect(roots.ended.allSatisfy { $0.requests.count == 1 })
    let requests = try await journal.database.perform { try $0.number("SELECT count(*) FROM request") }
    #expect(requests == UInt64(limit))
    #expect(roots.lastNumber == 5)
  }

  @Test("Live roots are never forgotten in favor of ended ones")
  func liveRootsAreNeverForgotten() async throws {
    let journal = try shelf.open(maxOutcomes: 1)
    let living = StoredRoot.sample("living", 1)
    try await journal.start(living)
    for number in UInt64(2)...4 {
      let root = StoredRoot.sample("counter_\(number)", number)
      try await journal.start(root)
      try await journal.end(root)
    }
    #expect(try await journal.roots().live.map(\.name) == ["living"])
    #expect(try await journal.tree(of: living) != nil)
  }

  @Test("A token of an ended root can be started again, which replaces the old root and its answers")
  func endedTokenCanStartAgain() async throws {
    let journal = try shelf.open()
    let first = StoredRoot.sample("mine", 1)
    try await journal.start(first)
    try await journal.store(.sample("mine", revision: 2, request: 1, outcome: .cancelled), of: first)
    let second = StoredRoot.sample("mine", 2)
    try await journal.start(second)
    let roots = try await journal.roots()
    #expect(roots.live.map(\.sequence) == [2])
    #expect(roots.ended.isEmpty)
    #expect(try await journal.tree(of: second)?.requests == [])
  }

  @Test("The name of a live root is not given to another root")
  func nameOfLiveRootIsNotReused() async throws {
    let journal = try shelf.open()
    let first = StoredRoot.sample("mine", 1)
    try await journal.start(first)
    await #expect(throws: JournalError.self) { try await journal.start(.sample("mine", 2)) }
    #expect(try await journal.roots().live == [first])
  }

  @Test("Root numbers never decrease, whatever is stored and forgotten")
  func rootNumbersNeverDecrease() async throws {
    var journal = try shelf.open(maxOutcomes: 0)
    for (sequence, number) in [(1, 4), (2, 9), (3, 9), (4, 2)] as [(UInt64, UInt64)] {
      let root = StoredRoot.sample("counter_\(sequence)", sequence, lastNumber: number)
      try await journal.start(root)
      try await journal.end(root)
    }
    journal.close()
    journal = try shelf.open()
    #expect(try await journal.roots() == StoredRoots(live: [], ended: [], lastNumber: 9))
  }
}
