import Testing

@testable import DBus

@Suite("Who gets the next large answer")
struct AnswerTurnsTests {
  @Test("recipients take turns, those of one are answered in order, and one is made at a time")
  func turns() {
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
      // Comes while the first is made, and is behind all others.
      if next == 1 { turns.add(11, for: "b") }
      turns.end()
    }
    #expect(order == [1, 10, 20, 2, 11, 3])
    #expect(turns.isEmpty)
    #expect(!turns.hasWaiting(for: "a"))
  }
}

@Suite("Large answers that were made are kept for a while")
struct KeptAnswersTests {
  @Test("an answer is the one that was made for the same stamp, and for no other")
  func stamps() {
    var kept = KeptAnswers<String>(capacity: 100)
    kept.keep("old", bytes: 10, key: "a", stamp: 1)
    #expect(answer("a", 1, &kept) == "old")
    #expect(answer("b", 1, &kept) == nil)
    #expect(answer("a", 2, &kept) == nil)
    #expect(kept.bytes == 0, "what is not true any more is given up")
    kept.keep("new", bytes: 20, key: "a", stamp: 2)
    #expect(answer("a", 2, &kept) == "new")
  }

  @Test("what was used last stays when there is no room for all, and what is too large is not kept at all")
  func room() {
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

  @Test("all is forgotten when nobody has asked for any of it for a while")
  func forgetting() {
    var kept = KeptAnswers<Int>(capacity: 100)
    kept.keep(1, bytes: 30, key: "1", stamp: 1)
    #expect(!forgets(&kept))
    #expect(answer("1", 1, &kept) == 1)
    #expect(!forgets(&kept))
    #expect(forgets(&kept))
    #expect(kept.bytes == 0)
    #expect(answer("1", 1, &kept) == nil)
  }

  // The macro cannot change a value itself.

  private func answer<Answer>(_ key: String, _ stamp: UInt64, _ kept: inout KeptAnswers<Answer>) -> Answer? {
    kept.answer(key, stamp: stamp)
  }

  private func forgets(_ kept: inout KeptAnswers<Int>) -> Bool { kept.forgetUnused() }
}
