import Testing

@testable import DBus

@Suite("Turns for large answers", .timeLimit(.minutes(5)))
struct AnswerTurnsTests {
  @Test("Recipients of large answers take turns, each in order, and one answer is made at a time")
  func recipientsTakeTurns() {
    var turns = AnswerTurns<Int>()
    for number in 1...3 { turns.add(number, for: "a") }
    turns.add(10, for: "b")
    turns.add(20, for: "c")
    var order: [Int] = []
    while let next = turns.next() {
      let another = turns.next()
      #expect(another == nil, "one is being made")
      #expect(!turns.isEmpty)
      order.append(next)
      // This one arrives while the first is being made.
      if next == 1 { turns.add(11, for: "b") }
      turns.end()
    }
    #expect(order == [1, 10, 20, 2, 11, 3])
    #expect(turns.isEmpty)
    #expect(!turns.hasWaiting(for: "a"))
  }
}

@Suite("Kept large answers", .timeLimit(.minutes(5)))
struct KeptAnswersTests {
  @Test("A kept answer serves only requests with its key and stamp")
  func keptAnswerMatchesOnlyItsStamp() {
    var kept = KeptAnswers<String>(capacity: 100)
    kept.keep("old", bytes: 10, key: "a", stamp: 1)
    #expect(answer("a", 1, &kept) == "old")
    #expect(answer("b", 1, &kept) == nil)
    #expect(answer("a", 2, &kept) == nil)
    #expect(kept.bytes == 0, "what is not true any more is given up")
    kept.keep("new", bytes: 20, key: "a", stamp: 2)
    #expect(answer("a", 2, &kept) == "new")
  }

  @Test("The most recently used answers are kept if there is no room for all, and an oversized one is not kept")
  func leastRecentlyUsedAnswerIsDropped() {
    var kept = KeptAnswers<Int>(capacity: 100)
    for number in 1...3 { kept.keep(number, bytes: 30, key: "\(number)", stamp: 1) }
    #expect(answer("1", 1, &kept) == 1)
    kept.keep(4, bytes: 30, key: "4", stamp: 1)
    #expect(answer("2", 1, &kept) == nil)
    #expect(answer("1", 1, &kept) == 1)
    kept.keep(5, bytes: 101, key: "5", stamp: 1)
    #expect(answer("5", 1, &kept) == nil)
    #expect(kept.bytes == 90)
  }

  @Test("All kept answers are forgotten after none was requested for a while")
  func unusedAnswersAreForgotten() {
    var kept = KeptAnswers<Int>(capacity: 100)
    kept.keep(1, bytes: 30, key: "1", stamp: 1)
    #expect(!forgets(&kept))
    #expect(answer("1", 1, &kept) == 1)
    #expect(!forgets(&kept))
    #expect(forgets(&kept))
    #expect(kept.bytes == 0)
    #expect(answer("1", 1, &kept) == nil)
  }

  // The macro cannot mutate a value itself.

  private func answer<Answer>(_ key: String, _ stamp: UInt64, _ kept: inout KeptAnswers<Answer>) -> Answer? {
    kept.answer(key, stamp: stamp)
  }

  private func forgets(_ kept: inout KeptAnswers<Int>) -> Bool { kept.forgetUnused() }
}
