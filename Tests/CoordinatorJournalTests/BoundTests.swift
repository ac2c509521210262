import CoordinatorKit
import Testing

@testable import CoordinatorJournal

@Suite("What a journal keeps is bounded")
struct BoundTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test("of the answers of a tree the newest are kept, as many as the tree itself keeps")
  func requests() async throws {
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

  @Test("of the roots that ended the newest are remembered; the answers of the others go with them", arguments: [0, 1, 3])
  func outcomes(_ limit: Int) async throws {
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

  @Test("roots that live are never forgotten for those that ended")
  func living() async throws {
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

  @Test("a token whose root is remembered can be started again, and is one root then, without the old answers")
  func token() async throws {
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

  @Test("a name whose root lives is not given to another root")
  func nameInUse() async throws {
    let journal = try shelf.open()
    let first = StoredRoot.sample("mine", 1)
    try await journal.start(first)
    await #expect(throws: JournalError.self) { try await journal.start(.sample("mine", 2)) }
    #expect(try await journal.roots().live == [first])
  }

  @Test("the numbers of roots never go back, whatever comes and is forgotten")
  func numbers() async throws {
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
