import Testing

@testable import CoordinatorKit

@Suite("Queue of unawaited events", .timeLimit(.minutes(5)))
struct UnawaitedLineTests {
  private let start = ContinuousClock.now

  @Test("A few unawaited events run at once, and each end admits another one")
  func fewEventsRunAtOnce() {
    var line = UnawaitedLine<Int>()
    for number in 0..<20 { line.add(number) }
    var tickets = take(&line, at: start)
    #expect(tickets.map(\.0) == Array(0..<16))
    line.hasEnded(tickets.removeFirst().1, .stored, at: start)
    line.hasEnded(tickets.removeFirst().1, .untried, at: start)
    #expect(take(&line, at: start).map(\.0) == [16, 17])
  }

  @Test("While nothing can be stored, a different unawaited event is tried each second, and a success resumes all")
  func oneEventIsTriedPerSecond() {
    var line = UnawaitedLine<Int>()
    for number in 0..<100 { line.add(number) }
    var tries = 0
    func fail(_ taken: [(Int, UnawaitedLine<Int>.Ticket)], at now: ContinuousClock.Instant) {
      tries += taken.count
      for (number, ticket) in taken {
        line.addAgain(number, at: now)
        line.hasEnded(ticket, .notStored, at: now)
      }
    }
    fail(take(&line, at: start), at: start)
    #expect(tries == 16)
    for second in 1...60 {
      let now = start + .seconds(second)
      #expect(take(&line, at: now - .milliseconds(1)).isEmpty)
      line.timeHasCome()
      let taken = take(&line, at: now)
      #expect(taken.map(\.0) == [15 + second])
      fail(taken, at: now)
    }
    // There is room again: one event shows that, and then all others end, a few at a time.
    let now = start + .seconds(61)
    line.timeHasCome()
    var taken = take(&line, at: now)
    #expect(taken.count == 1)
    var ended: Set<Int> = []
    while let (number, ticket) = taken.first {
      ended.insert(number)
      line.hasEnded(ticket, .stored, at: now)
      taken = taken.dropFirst() + take(&line, at: now)
      #expect(taken.count <= 16)
    }
    #expect(ended == Set(0..<100))
  }

  @Test("An event of an ended tree is no sign that storing works, and the next event is tried at once")
  func endedTreeSaysNothingAboutStore() {
    var line = UnawaitedLine<Int>()
    line.addAgain(1, at: start)
    line.add(2)
    line.add(3)
    #expect(wait(&line, at: start) == start + .seconds(1))
    // The caller is asked to wait only once.
    #expect(wait(&line, at: start) == nil)
    line.timeHasCome()
    let now = start + .seconds(1)
    let taken = take(&line, at: now)
    #expect(taken.map(\.0) == [1])
    line.hasEnded(taken[0].1, .untried, at: now)
    #expect(take(&line, at: now).map(\.0) == [2])
  }

  @Test("The results of events that were handed out before a failure are disregarded")
  func eventsFromBeforeFailureAreDisregarded() {
    var line = UnawaitedLine<Int>()
    for number in 0..<20 { line.add(number) }
    let taken = take(&line, at: start)
    line.hasEnded(taken[0].1, .notStored, at: start)
    line.hasEnded(taken[1].1, .stored, at: start)
    #expect(take(&line, at: start).isEmpty)
    let now = start + .seconds(1)
    line.timeHasCome()
    #expect(take(&line, at: now).map(\.0) == [16])
    line.hasEnded(taken[2].1, .notStored, at: now)
    line.hasEnded(taken[3].1, .stored, at: now)
    #expect(take(&line, at: now).isEmpty)
  }

  /// Takes all events that are handed out now.
  private func take(_ line: inout UnawaitedLine<Int>, at now: ContinuousClock.Instant) -> [(Int, UnawaitedLine<Int>.Ticket)] {
    var taken: [(Int, UnawaitedLine<Int>.Ticket)] = []
    while case .hand(let number, let ticket)? = line.next(at: now) { taken.append((number, ticket)) }
    return taken
  }

  /// Returns when to ask again, if the queue asks its caller to wait.
  private func wait(_ line: inout UnawaitedLine<Int>, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if case .wait(let end)? = line.next(at: now) { end } else { nil }
  }
}
